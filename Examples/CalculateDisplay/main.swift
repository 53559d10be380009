// Two jobs on one queue: the first adds two numbers, the second shows the sum as soon as the first has finished.

import WorkQueues

let (first, second) = operands()
let queue = WorkQueue(name: "calculate and display")

let calculate = Calculate(first, second)
let display = Display()
try display.addDependency(calculate)
try queue.addJobs([display, calculate], waitUntilFinished: true)

if case .failed(let error) = calculate.outcome {
    quit("CalculateDisplay: \(error)", code: 1)
}

let typedSum = queue.addJob { try adding(first, second) }
let bothFormsAgree = queue.addJob(after: typedSum) { sum in sum == calculate.sum }
guard try bothFormsAgree.waitForValue() else {
    quit("CalculateDisplay: the typed form disagrees", code: 1)
}
