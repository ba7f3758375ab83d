internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// The data that restores the scans of a transformed image as the original had them.
struct ImageUndo: Hashable, Sendable {
  /// The offset of the image's SOI in the result.
  var resultStart: Int
  /// The offset of the image's SOI in the original's skeleton.
  var skeletonStart: Int
  /// The transform from the original to the result.
  var transform: OrientationTransform
  /// How the original was coded; nil for libjpeg's conventions.
  var info: ReconstructionInfo?
  /// Patches of entropy-coded data, by the number of the scan.
  var patches: [Int: Patch] = [:]

  /// The original coefficients that do not follow from the re-encoded ones; nil if nothing was re-encoded.
  var exceptions: RedrawExceptions?

  /// The maximum number of pixels of the image; not a part of the record.
  var maxPixels = Int.max

  /// A replacement of the bytes between a common prefix and a common suffix.
  struct Patch: Hashable, Sendable {
    /// The length of the prefix that is kept.
    var prefix: Int
    /// The length of the suffix that is kept.
    var suffix: Int
    var bytes: [UInt8]

    fileprivate static let maxLength = 4096

    /// Returns `wrong` with the patch applied, or nil if it is too short.
    func applied(to wrong: [UInt8]) -> [UInt8]? {
      guard prefix + suffix <= wrong.count else { return nil }
      var result = Array(wrong[..<prefix])
      result += bytes
      result += wrong[(wrong.count - suffix)...]
      return result
    }
  }

  /// The original's coefficients, already coded if possible.
  private enum Coefficients {
    case values(SparseImage)
    case codes(CodedImage)

    var planes: [CoefficientImage.Plane] {
      switch self {
      case .values(let image): image.planes
      case .codes(let image): image.planes
      }
    }
  }

  private func stored(_ skeleton: [UInt8]) throws(UprightError) -> ImageDecoding {
    let stored = try ImageDecoding(ofImageAt: skeletonStart, skeleton, maxPixels: maxPixels)
    // A hostile record could ask for hundreds of scans of the image's size.
    guard stored.parameters.isWithoutRepetition,
      info.map({ $0.scans.count == stored.parameters.scans.count }) != false
    else { throw UprightError(.verification, "the record does not belong to this file") }
    return stored
  }

  /// Returns the edits that insert the scans into the skeleton, without the patches.
  func recoding(_ shown: ImageDecoding, _ skeleton: [UInt8]) throws(UprightError) -> [Edit] {
    let stored = try stored(skeleton)
    let image = try coefficients(shown, stored)
    // The skeleton has no scans; those of the result have about the same size.
    let sizes = shown.parameters.container.scans.map { $0.data.count }
    let frame = stored.parameters.frame
    let encoder = ImageEncoder(stored.parameters, frame: frame, sizes: sizes)
    guard image.planes == CoefficientImage.planes(of: frame) else {
      throw UprightError(.verification, "the frames of the original and the result do not match")
    }
    do throws(ImageEncoder.Failure) {
      return switch image {
      case .values(let image): try encoder.edits(image, tables: .given, info)
      case .codes(let image): try encoder.edits(image, info)
      }
    } catch {
      throw UprightError(error)
    }
  }

  private func coefficients(
    _ shown: ImageDecoding,
    _ stored: ImageDecoding
  ) throws(UprightError) -> Coefficients {
    let original = stored.parameters.frame
    var codes: [ComponentCodes]?
    if info?.needsBlocks != true,
      original.components.count == shown.parameters.frame.components.count
    {
      codes = ImageEncoder(stored.parameters, frame: original).codes(.given)
    }
    if let exceptions { return try restored(exceptions, shown, stored, codes) }
    if let codes {
      return .codes(try shown.coefficients(transform: transform.inverse, codes: codes).0)
    }
    return .values(try shown.coefficients(transform: transform.inverse).0)
  }

  private func restored(
    _ exceptions: RedrawExceptions,
    _ shown: ImageDecoding,
    _ stored: ImageDecoding,
    _ codes: [ComponentCodes]?
  ) throws(UprightError) -> Coefficients {
    let reencoded = try shown.coefficients(transform: .none).0
    let frame = stored.parameters.frame
    guard let tables = try? stored.parameters.quantizationTables(stored.bytes.span),
      let resultTables = try? shown.parameters.quantizationTables(shown.bytes.span),
      reencoded.planes == CoefficientImage.planes(of: frame.transformed(by: transform))
    else { throw .irreversible }
    let redraw = Redraw(
      frame: frame,
      tables: tables,
      transform: transform,
      resultTables: resultTables
    )
    do throws(RedrawExceptions.Failure) {
      guard let codes else { return .values(try redraw.restored(reencoded, exceptions)) }
      return .codes(try redraw.restored(reencoded, exceptions, codes: codes))
    } catch {
      throw .irreversible
    }
  }

  /// Returns the edits that insert the scans into the skeleton.
  func edits(_ result: [UInt8], _ skeleton: [UInt8]) throws(UprightError) -> [Edit] {
    let shown = try ImageDecoding(ofImageAt: resultStart, result, maxPixels: maxPixels)
    var edits = try recoding(shown, skeleton)
    for (number, patch) in patches {
      guard edits.indices.contains(number),
        let patched = patch.applied(to: edits[number].replacement)
      else {
        throw UprightError(.verification, "the record does not belong to this file")
      }
      edits[number].replacement = patched
    }
    return edits
  }
}

extension UprightError {
  fileprivate static var irreversible: UprightError {
    UprightError(.verification, "the re-encoded components cannot be restored")
  }
}

extension ImageDecoding {
  /// Reads the structure of an image that can be transformed, unless it is given.
  init(
    ofImageAt start: Int,
    _ bytes: [UInt8],
    _ known: Container? = nil,
    maxPixels: Int = .max
  ) throws(UprightError) {
    let (container, frame): (Container, Frame)
    do throws(ContainerError) {
      container = if let known { known } else { try Container(bytes.span, at: start) }
      let headers = container.segments.filter { $0.marker.startsFrame }
      guard headers.count == 1 else {
        throw ContainerError(
          .malformed,
          at: start,
          "the image must have exactly one frame header (SOF)"
        )
      }
      frame = try Frame(headers[0], in: bytes.span)
      guard frame.pixelCount <= maxPixels else {
        throw ContainerError(.limit, at: start, "the image has more pixels than the limit allows")
      }
      guard frame.width > 0, frame.height > 0, frame.precision == 8 else {
        throw ContainerError(
          .malformed,
          at: start,
          "the image is empty or does not have 8 bits per sample"
        )
      }
    } catch { throw UprightError(error) }
    self = try ImageDecoding(container, frame, bytes)
  }
}

extension ImageUndo {
  func write(to writer: inout CompactWriter) {
    writer.write(resultStart)
    writer.write(skeletonStart)
    writer.write(transform.number)
    writer.write(info?.isDefault == false ? 1 : 0)
    if let info, !info.isDefault { info.write(to: &writer) }
    writer.write(exceptions == nil ? 0 : 1)
    if let exceptions { writer.write(exceptions.serialized) }
    writer.write(patches.count)
    for (number, patch) in patches.ordered(by: { $0.key }) {
      writer.write(number)
      writer.write(patch.prefix)
      writer.write(patch.suffix)
      writer.write(patch.bytes)
    }
  }

  init(from reader: inout CompactReader, version: Int) throws(CompactReader.Failure) {
    resultStart = try reader.number()
    skeletonStart = try reader.number()
    transform = try OrientationTransform(from: &reader)
    if try reader.number(in: 0...1) == 1 {
      let read = try ReconstructionInfo(from: &reader, version: version)
      // A default value is equivalent to none.
      info = read.isDefault ? nil : read
    }
    if try reader.number(in: 0...1) == 1 {
      let content = try reader.content()
      guard let exceptions = try? RedrawExceptions(serialized: content) else {
        throw CompactReader.Failure(offset: 0)
      }
      self.exceptions = exceptions
    }
    for _ in 0..<(try reader.number(in: 0...1 << 16)) {
      let number = try reader.number()
      let prefix = try reader.number(in: 0...Int(Int32.max))
      let suffix = try reader.number(in: 0...Int(Int32.max))
      patches[number] = Patch(prefix: prefix, suffix: suffix, bytes: try reader.content())
    }
  }
}

extension ImageUndo.Patch {
  /// Creates the patch that changes `wrong` to `right`; nil if it would be too long.
  init?(from wrong: [UInt8], to right: ArraySlice<UInt8>) {
    let prefix = zip(wrong, right).prefix { $0 == $1 }.count
    let suffix = min(
      min(wrong.count, right.count) - prefix,
      zip(wrong.reversed(), right.reversed()).prefix { $0 == $1 }.count
    )
    guard right.count - prefix - suffix <= Self.maxLength else { return nil }
    let bytes = Array(right.dropFirst(prefix).dropLast(suffix))
    self.init(prefix: prefix, suffix: suffix, bytes: bytes)
  }
}
