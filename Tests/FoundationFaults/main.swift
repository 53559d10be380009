// Does to Foundation's OperationQueue what hangs or kills the process, one fault per run, so that the parity tests survive it.
import Foundation

// The parent counts its time limit from this line, so a slow start is not taken for a hang.
let began = "began"
// Printed when the fault did no harm after all.
let ended = "ended"

func say(_ line: String) {
    print(line)
    // A process that is about to be killed flushes nothing.
    fflush(nil)
}

guard CommandLine.arguments.count == 2, let fault = Fault(rawValue: CommandLine.arguments[1]) else {
    let names = Fault.allCases.map(\.rawValue).joined(separator: " | ")
    FileHandle.standardError.write(Data("usage: FoundationFaults \(names)\n".utf8))
    exit(64)
}

say(began)
fault.commit()
say(ended)
