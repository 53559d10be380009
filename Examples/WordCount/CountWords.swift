// The work of a count job: reads one file piece by piece and cuts it into words, runs of ASCII letters as long as they go.

import WorkQueues

func countWords(of path: Path) throws -> Tally {
    do {
        return Tally(words: try wordsOfFile(path))
    } catch let unreadable as Unreadable {
        return Tally(reporting: unreadable)
    }
}

private func wordsOfFile(_ path: Path) throws -> WordTable {
    let file = try File(reading: path)
    var words = WordTable()
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    var kept = 0
    while true {
        try Job.checkCancellation()
        let length = try file.next(into: &piece, from: kept)
        if length == 0 { break }

        let end = kept + length
        let unfinished = piece.withUnsafeMutableBufferPointer { words.addWords(in: $0.prefix(end)) }

        // What may be the beginning of a word moves to the front; the next piece is read behind it.
        kept = end - unfinished
        for offset in 0..<kept { piece[offset] = piece[unfinished + offset] }
        if kept == piece.count { piece += repeatElement(0, count: kept) }
    }
    if kept > 0 { piece.withUnsafeBufferPointer { words.add(UnsafeBufferPointer(rebasing: $0.prefix(kept))) } }
    return words
}

extension WordTable {
    /// Adds the words of a piece of text, in lower case, and returns where the word begins that may go on behind the piece.
    fileprivate mutating func addWords(in piece: Slice<UnsafeMutableBufferPointer<UInt8>>) -> Int {
        let text = UnsafeMutableBufferPointer(rebasing: piece)
        var start = 0
        for position in text.indices {
            let letter = text[position] | 0x20
            if UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter {
                text[position] = letter
            } else {
                if start < position { add(UnsafeBufferPointer(rebasing: text[start..<position])) }
                start = position + 1
            }
        }
        return start
    }
}
