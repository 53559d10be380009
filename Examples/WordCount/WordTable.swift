// How often each word occurs: an open hash table whose words lie one behind the other in a single array of letters.

import Foundation

struct WordTable: Sendable {
    private struct Slot {
        var hash: UInt = 0
        var start = 0
        var length = 0
        var count = 0

        var letters: Range<Int> { start..<start + length }
    }

    private var slots = [Slot](repeating: Slot(), count: 64)
    private var letters: [UInt8] = []
    private var distinct = 0

    /// Counts one more of a word; the bytes are only read during the call.
    mutating func add(_ word: UnsafeBufferPointer<UInt8>) {
        add(word, hash: Self.hash(of: word), count: 1)
    }

    func merging(_ other: WordTable) -> WordTable {
        guard distinct >= other.distinct else { return other.merging(self) }
        var merged = self
        other.letters.withUnsafeBufferPointer { letters in
            for slot in other.slots where slot.count > 0 {
                merged.add(UnsafeBufferPointer(rebasing: letters[slot.letters]), hash: slot.hash, count: slot.count)
            }
        }
        return merged
    }

    /// The most frequent words, those that occur equally often in the order of their bytes.
    func top(_ limit: Int) -> [(word: String, count: Int)] {
        letters.withUnsafeBufferPointer { letters in
            slots.filter { $0.count > 0 }
                .sorted { first, second in
                    first.count != second.count
                        ? first.count > second.count
                        : letters[first.letters].lexicographicallyPrecedes(letters[second.letters])
                }
                .prefix(limit)
                .map { (String(decoding: letters[$0.letters], as: UTF8.self), $0.count) }
        }
    }

    private mutating func add(_ word: UnsafeBufferPointer<UInt8>, hash: UInt, count: Int) {
        let index = find(word, hash: hash)
        if slots[index].count == 0 {
            slots[index] = Slot(hash: hash, start: letters.count, length: word.count, count: count)
            letters += word
            distinct += 1
            if distinct * 4 > slots.count * 3 { grow() }
        } else {
            slots[index].count += count
        }
    }

    /// The slot that holds the word, or the free one where it belongs.
    private func find(_ word: UnsafeBufferPointer<UInt8>, hash: UInt) -> Int {
        var index = home(of: hash)
        while slots[index].count > 0, !holds(slots[index], word, hash) {
            index = (index + 1) & (slots.count - 1)
        }
        return index
    }

    private func holds(_ slot: Slot, _ word: UnsafeBufferPointer<UInt8>, _ hash: UInt) -> Bool {
        slot.hash == hash && slot.length == word.count
            && letters.withUnsafeBufferPointer { memcmp($0.baseAddress! + slot.start, word.baseAddress!, slot.length) == 0 }
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for slot in old where slot.count > 0 {
            var index = home(of: slot.hash)
            while slots[index].count > 0 { index = (index + 1) & (slots.count - 1) }
            slots[index] = slot
        }
    }

    /// Where the search for a word begins; the number of slots is a power of two.
    private func home(of hash: UInt) -> Int {
        Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
    }

    private static func hash(of word: UnsafeBufferPointer<UInt8>) -> UInt {
        word.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt($1)) &* 1_099_511_628_211 }
    }
}
