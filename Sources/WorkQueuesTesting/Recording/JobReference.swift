// The ways to say which recorded job is meant.

public import WorkQueues

/// What names a job to a `JobRecorder`: its name, its `Job.ID`, or the job itself.
public protocol JobReference: Sendable {
    /// Whether the job with this id, which the recorder knows by this name, is meant.
    func refers(to id: Job.ID, named name: String) -> Bool
}

extension String: JobReference {
    public func refers(to id: Job.ID, named name: String) -> Bool { self == name }
}

extension Job.ID: JobReference {
    public func refers(to id: Job.ID, named name: String) -> Bool { self == id }
}

extension Job: JobReference {
    public final func refers(to id: Job.ID, named name: String) -> Bool { self.id == id }
}
