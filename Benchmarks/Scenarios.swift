// The list of everything that is measured, in the order in which it is measured.

var allScenarios: [Scenario] {
    [
        Flat.scenarios, FlatInside.scenarios, FlatMixed.scenarios, Batch.scenarios, Chain.scenarios, Fan.scenarios, MemoryUse.scenarios,
    ].flatMap { $0 }
}

/// What can be measured in a process of its own.
var childTasks: [ChildTask] { MemoryUse.tasks + Instructions.tasks }
