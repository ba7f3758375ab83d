/// The offsets at which two files of the same length differ.
package func differences(_ original: [UInt8], _ damaged: [UInt8]) -> [Int] {
  original.count == damaged.count
    ? original.indices.filter { original[$0] != damaged[$0] } : []
}

/// How two files of the same length differ, to reproduce it.
package func difference(_ original: [UInt8], _ damaged: [UInt8]) -> String {
  differences(original, damaged)
    .map { "\($0): \(original[$0]) → \(damaged[$0])" }.joined(separator: ", ")
}
