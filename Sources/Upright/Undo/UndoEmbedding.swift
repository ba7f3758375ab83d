/// How results get the data that undoes their rewrite (`docs/record-format.md`, section 10).
///
/// That of an earlier rewrite is removed, because it no longer fits.
package struct UndoEmbedding: Sendable {
  /// Returns the data of a record, from the original and the result without the data.
  package typealias Form =
    @Sendable (_ record: UndoRecord, _ original: [UInt8], _ result: [UInt8]) -> [UInt8]

  /// Whether all results get it, or only those of files that hold some.
  package let isForAll: Bool
  let data: Form

  package init(isForAll: Bool, data: @escaping Form) {
    (self.isForAll, self.data) = (isForAll, data)
  }
}
