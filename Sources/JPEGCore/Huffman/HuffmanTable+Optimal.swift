internal import FileBytes

extension HuffmanTable {
  /// Creates the table that codes symbols of these frequencies in the fewest bits, with no code longer than 16 bits
  /// and without the code of all ones (T.81, K.2).
  package init(optimalFor frequencies: [Int]) {
    var lengths = Self.codeLengths(frequencies)
    Self.limit(&lengths)
    // The reserved code of all ones is the last code of the greatest length.
    if let longest = lengths.lastIndex(where: { $0 > 0 }) { lengths[longest] -= 1 }

    // The most frequent symbols get the shortest codes, also after the lengths were limited.
    let symbols = frequencies.indices.filter { frequencies[$0] > 0 }
      .ordered { -frequencies[$0] }
    self.init(
      counts: lengths[1...16].map { UInt8($0) },
      symbols: symbols.map { UInt8($0) }
    )
  }

  /// Returns the number of codes of each length, including the reserved one, without the limit of 16 bits.
  private static func codeLengths(_ frequencies: [Int]) -> [Int] {
    let lengths = lengthOfEachSymbol(frequencies)
    var counts = [Int](repeating: 0, count: max(17, (lengths.max() ?? 0) + 1))
    for length in lengths where length > 0 { counts[length] += 1 }
    return counts
  }

  /// Returns the code length of every symbol in an unlimited Huffman code; symbol 256 is the reserved code.
  private static func lengthOfEachSymbol(_ frequencies: [Int]) -> [Int] {
    var nodes: [(weight: Int, number: Int)] =
      frequencies.indices.filter { frequencies[$0] > 0 }.map { (frequencies[$0], $0) }
    nodes.append((1, frequencies.count))
    var lengths = [Int](repeating: 0, count: frequencies.count + nodes.count)
    if nodes.count == 1 { lengths[frequencies.count] = 1 }
    // By descending weight; among equals the newest is taken first. There are at most 257 nodes.
    nodes = nodes.ordered { -$0.weight }
    var pairs: [(Int, Int)] = []
    while nodes.count > 1 {
      let (first, second) = (nodes.removeLast(), nodes.removeLast())
      let weight = first.weight + second.weight
      pairs.append((first.number, second.number))
      let node = (weight, frequencies.count + pairs.count)
      nodes.insert(node, at: nodes.firstIndex { $0.weight < weight } ?? nodes.endIndex)
    }
    // From the root down: the node of a pair is in a later pair.
    for (index, pair) in pairs.enumerated().reversed() {
      let length = lengths[frequencies.count + 1 + index] + 1
      (lengths[pair.0], lengths[pair.1]) = (length, length)
    }
    return Array(lengths[...frequencies.count])
  }

  /// Limits the code lengths to 16 bits (T.81, figure K.3).
  private static func limit(_ counts: inout [Int]) {
    for length in stride(from: counts.count - 1, to: 16, by: -1) {
      while counts[length] > 0 {
        var shorter = length - 2
        while counts[shorter] == 0 { shorter -= 1 }
        counts[length] -= 2
        counts[length - 1] += 1
        counts[shorter + 1] += 2
        counts[shorter] -= 1
      }
    }
  }
}
