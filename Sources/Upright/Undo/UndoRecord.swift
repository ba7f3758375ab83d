internal import JPEGCore

/// What it takes, besides the rewritten file, to get the original back byte for byte: about half a kilobyte.
///
/// A lossless transform loses nothing but how the original was coded: its changed segments, and the conventions of
/// its encoder. The record holds that; the coefficients are in the rewritten file.
public struct UndoRecord: Hashable, Sendable {
  let delta: Delta
  /// The images in the order in which their scans are filled in: a thumbnail comes before the image
  /// whose segment holds it, for only then that segment has its length again.
  let images: [ImageUndo]
  /// The size of the rewritten file in bytes.
  let resultSize: Int

  /// The largest binary form that a rewritten file can have.
  ///
  /// - Parameter size: The size of the rewritten file in bytes.
  /// - Returns: A size in bytes, with plenty of room for metadata that was taken out.
  package static func maxBytes(forResultOf size: Int) -> Int { 2 * size + 16 << 20 }

  /// The most images in a file, each of which may take as long as the first one.
  static let maxImages = 256

  /// The version of the binary form.
  private static let version = 3

  /// Restores the original.
  ///
  /// - Parameters:
  ///   - result: The rewritten file.
  ///   - maxPixels: The most pixels that an image may claim to have.
  /// - Returns: The original.
  /// - Throws: ``UprightError``: the record does not belong to the file, or the file was changed. Whether
  ///   the restored file is the original must be checked by its hash, which the record does not hold.
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
    writer.write(Self.version)
    writer.write(resultSize)
    delta.write(to: &writer)
    writer.write(images.count)
    for image in images { image.write(to: &writer) }
    return writer.bytes
  }

  /// Reads the binary form.
  ///
  /// - Parameter serialized: What ``serialized`` gave.
  /// - Throws: ``UprightError`` of code `malformed`.
  public init(serialized: [UInt8]) throws(UprightError) {
    var reader = CompactReader(serialized)
    do throws(CompactReader.Failure) {
      let version = try reader.number()
      guard version == Self.version else {
        throw CompactReader.Failure(offset: 0)
      }
      resultSize = try reader.number()
      delta = try Delta(from: &reader)
      var images: [ImageUndo] = []
      for _ in 0..<(try reader.number(in: 0...Self.maxImages)) {
        images.append(try ImageUndo(from: &reader))
      }
      self.images = images
      guard reader.isAtEnd else { throw CompactReader.Failure(offset: serialized.count) }
    } catch {
      throw UprightError(
        .malformed,
        at: error.offset,
        "the undo record is damaged or of an unknown version"
      )
    }
  }

  init(delta: Delta, images: [ImageUndo], resultSize: Int) {
    self.delta = delta
    self.images = images
    self.resultSize = resultSize
  }
}
