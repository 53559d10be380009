// The list of everything that is measured, in the order in which it is measured.

var allScenarios: [Scenario] {
    [
        Flat.scenarios, FlatInside.scenarios, FlatMixed.scenarios, Batch.scenarios, SubmitContended.scenarios,
        Chain.scenarios, Fan.scenarios, RandomGraph.scenarios, Edges.scenarios, Scaling.scenarios,
        Results.scenarios, AsyncJobs.scenarios, CancelPending.scenarios,
        Blocking.scenarios, CPUAutomatic.scenarios, Wake.scenarios, Urgent.scenarios, Queues.scenarios,
        MemoryUse.scenarios, Idle.scenarios, Observed.scenarios,
    ].flatMap { $0 }
}

/// What can be measured in a process of its own.
var childTasks: [ChildTask] { Blocking.tasks + MemoryUse.tasks + [Idle.task] + Instructions.tasks }
