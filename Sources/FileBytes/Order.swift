// The standard library's sort is compiled again for each type and each closure, about 3 kB of WebAssembly. These share
// what sorts.

extension Sequence {
  /// Returns the elements in the order of their ranges in a file; equal ones keep their order.
  ///
  /// An insertion comes before a replacement at the same offset.
  @inlinable public func inFileOrder(_ range: (Element) -> Range<Int>) -> [Element] {
    var ranges: [Range<Int>] = []
    let elements = map { element in
      ranges.append(range(element))
      return element
    }
    return fileOrder(of: ranges).map { elements[$0] }
  }

  /// Returns the elements in ascending order of whole numbers; equal ones keep their order.
  @inlinable public func ordered(by key: (Element) -> Int) -> [Element] {
    inFileOrder {
      let key = key($0)
      return key..<key
    }
  }

  /// Returns the elements in the order of their names.
  package func alphabetical(_ name: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return alphabeticalOrder(of: elements.map(name)).map { elements[$0] }
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element for which the condition holds; it must hold for all that follow.
  @inlinable public func partitionPoint(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

@usableFromInline @inline(never)
func fileOrder(of ranges: [Range<Int>]) -> [Int] {
  ranges.indices.sorted {
    let (first, second) = (ranges[$0], ranges[$1])
    return (first.lowerBound, first.upperBound, $0) < (second.lowerBound, second.upperBound, $1)
  }
}

@inline(never)
private func alphabeticalOrder(of names: [String]) -> [Int] {
  names.indices.sorted { (names[$0], $0) < (names[$1], $1) }
}
