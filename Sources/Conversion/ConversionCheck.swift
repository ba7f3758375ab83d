internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import Upright

/// Compares a converted file with its source.
struct ConversionCheck {
  let source: DecodedImage
  let metadata: CarriedMetadata

  /// Checks the size, Exif's bytes, XMP and the ICC profile.
  ///
  /// - Throws: ``UprightError`` of code `verification`.
  func check(_ result: ConvertedImage) throws(UprightError) {
    let bytes = result.bytes.span
    let header: Header
    do throws(ContainerError) {
      header = try Header(try Container(bytes), bytes)
    } catch { throw Self.failure("it cannot be read: \(error.message)") }
    guard header.container.isComplete, header.frame.size == result.size else {
      throw Self.failure("its size is wrong")
    }
    switch header.orientation {
    case .absent, .value(.up): break
    default: throw Self.failure("its Orientation is not 1")
    }
    try checkExif(header, bytes)
    let profile = header.container.segments(.iccProfile, in: bytes).flatMap {
      bytes.bytes($0.payload.lowerBound + 14..<$0.payload.upperBound)
    }
    guard profile == metadata.profile ?? [] else { throw Self.failure("its ICC profile differs") }
    let xmp =
      (header.container.segments(.xmp, in: bytes)
      + header.container.segments(.extendedXMP, in: bytes)).map { bytes.bytes($0.range) }
    guard xmp == metadata.xmp else {
      throw Self.failure("its XMP differs")
    }
  }

  /// Checks that Exif has the bytes of the source, except for the reported changes.
  private func checkExif(_ header: Header, _ bytes: Span<UInt8>) throws(UprightError) {
    guard header.exif.count == (source.exif == nil ? 0 : 1) else {
      throw Self.failure("it has \(header.exif.count) Exif blocks")
    }
    guard let block = header.exif.first, let original = source.exif, let carried = metadata.exif
    else { return }
    var old = 0
    var new = block.range.lowerBound
    for change in carried.changes {
      let kept = old..<change.range.lowerBound
      guard bytes.bytes(new..<new + kept.count) == Array(original[kept]) else {
        throw Self.failure("its Exif block differs at byte \(old)")
      }
      new += kept.count
      guard bytes.bytes(new..<new + change.replacement.count)[...] == change.replacement else {
        throw Self.failure("\(change.field) has the wrong value")
      }
      new += change.replacement.count
      old = change.range.upperBound
    }
    guard bytes.bytes(new..<block.range.upperBound) == Array(original[old...]) else {
      throw Self.failure("its Exif block differs at byte \(old)")
    }
  }

  private static func failure(_ message: String) -> UprightError {
    UprightError(.verification, "the result was discarded: \(message)")
  }
}
