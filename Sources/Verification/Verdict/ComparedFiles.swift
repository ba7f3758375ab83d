internal import FileBytes

/// The two files.
struct ComparedFiles {
  let original: [UInt8]
  let result: [UInt8]

  func isEqual(_ original: Range<Int>, _ result: Range<Int>) -> Bool {
    original.count == result.count
      && self.original.equals(original, in: self.result, at: result.lowerBound)
  }

  func equalCount(_ original: Range<Int>, _ result: Range<Int>) -> Int {
    zip(self.original[original], self.result[result]).prefix { $0 == $1 }.count
  }
}
