internal import FileBytes
internal import JPEGCore

/// The data that restores the original, byte for byte, from the rewritten file: some hundred bytes.
///
/// The record contains what a lossless transform does not keep: the original bytes of changed segments, and how the
/// original's encoder coded the coefficients. The coefficients themselves are in the rewritten file.
public struct UndoRecord: Hashable, Sendable {
  let delta: Delta
  /// The images in the order in which their scans are restored: a thumbnail before the image whose segment contains it,
  /// because that restores the length of the segment.
  let images: [ImageUndo]
  let resultSize: Int

  /// Returns the maximum size in bytes of the binary form for a rewritten file, which allows for removed metadata.
  package static func maxBytes(forResultOf size: Int) -> Int {
    Int(clamping: 2 * Int64(size) + 16 << 20)
  }

  /// Returns the maximum number of bytes of the exceptions of re-encoded images; at least 48 KiB, which are 64 KiB of text.
  ///
  /// Exceptions that are larger cost more than they are worth: a backup of the original is then the better undo data.
  static func maxExceptionBytes(ofOriginal size: Int) -> Int { max(48 << 10, size / 4) }

  /// The maximum number of images in a record; each may take as long as the first one.
  static let maxImages = 256

  /// The versions that are read; the lowest one that suffices is written.
  private static let versions = 1...2

  private var version: Int { images.compactMap { $0.info?.version }.max() ?? 1 }

  /// Restores the original.
  ///
  /// - Parameters:
  ///   - result: The rewritten file.
  ///   - maxPixels: The maximum number of pixels of an image, as its header gives it.
  /// - Returns: The original. Check it by its hash, which the record does not contain.
  /// - Throws: ``UprightError`` if the record does not belong to the file, or the file was changed.
  public func restoreOriginal(
    from result: [UInt8],
    maxPixels: Int = Options().maxPixels
  ) throws(UprightError) -> [UInt8] {
    guard result.count == resultSize, var file = delta.skeleton(of: result) else {
      throw UprightError(.verification, "the file is not the one that the record was made for")
    }
    for var image in images {
      do throws(UprightError) {
        image.maxPixels = maxPixels
        let edits = try image.edits(result, file)
        guard edits.areDisjoint else { throw UprightError(.verification, "the scans overlap") }
        file = edits.applied(to: file)
      } catch {
        throw UprightError(
          .verification,
          "the original cannot be restored with this record: \(error.message)"
        )
      }
    }
    return file
  }

  /// The binary form.
  public var serialized: [UInt8] {
    var writer = CompactWriter()
    writer.write(version)
    writer.write(resultSize)
    delta.write(to: &writer)
    writer.write(images.count)
    for image in images { image.write(to: &writer) }
    return writer.bytes
  }
}

extension UndoRecord {
  /// Reads the binary form.
  ///
  /// - Parameter serialized: The bytes of ``serialized``.
  /// - Throws: ``UprightError`` of code `malformed`.
  public init(serialized: [UInt8]) throws(UprightError) {
    var reader = CompactReader(serialized)
    do throws(CompactReader.Failure) {
      let version = try reader.number(in: Self.versions)
      let resultSize = try reader.number()
      let delta = try Delta(from: &reader)
      var images: [ImageUndo] = []
      for _ in 0..<(try reader.number(in: 0...Self.maxImages)) {
        images.append(try ImageUndo(from: &reader, version: version))
      }
      self.init(delta: delta, images: images, resultSize: resultSize)
      guard reader.isAtEnd else { throw CompactReader.Failure(offset: serialized.count) }
    } catch {
      throw UprightError(
        .malformed,
        at: error.offset,
        "the undo record is damaged or of an unknown version"
      )
    }
  }
}
