internal import ImageOrientation
internal import JPEGCore

/// What it takes to code a transformed image's scans again as the original had them.
struct ImageUndo: Hashable, Sendable {
  /// Where the image's SOI stands in the result.
  var resultStart: Int
  /// Where it stands in the original's skeleton.
  var skeletonStart: Int
  /// The transform that was made.
  var transform: OrientationTransform
  /// What coding the original again needs beside its coefficients; as libjpeg writes it unless given.
  var info: ReconstructionInfo?
  /// What is left to patch in the data of some scans, by their numbers.
  var patches: [Int: Patch] = [:]

  /// The coefficients of the original that a redraw does not tell; nil where there was none.
  var exceptions: RedrawExceptions?

  /// The most pixels that the image may claim to have; not a part of the record.
  var maxPixels = Int.max

  /// Bytes that replace those between a common beginning and a common end.
  struct Patch: Hashable, Sendable {
    /// Bytes that are right at the beginning.
    var prefix: Int
    /// Bytes that are right at the end.
    var suffix: Int
    var bytes: [UInt8]

    /// The longest patch that is worth keeping.
    private static let maxLength = 4096

    /// The patch that makes `wrong` into `right`; nil where it would be too long.
    init?(from wrong: [UInt8], to right: ArraySlice<UInt8>) {
      let shorter = min(wrong.count, right.count)
      prefix = zip(wrong, right).prefix { $0 == $1 }.count
      suffix = min(
        shorter - prefix,
        zip(wrong.reversed(), right.reversed()).prefix { $0 == $1 }.count
      )
      guard right.count - prefix - suffix <= Self.maxLength else { return nil }
      bytes = Array(right.dropFirst(prefix).dropLast(suffix))
    }

    /// `wrong` made right; nil where it is too short.
    func applied(to wrong: [UInt8]) -> [UInt8]? {
      guard prefix + suffix <= wrong.count else { return nil }
      return wrong[..<prefix] + bytes + wrong[(wrong.count - suffix)...]
    }
  }

  /// The original's coefficients, coded already where that can be.
  enum Coefficients {
    case values(SparseImage)
    case codes(CodedImage)

    fileprivate var planes: [CoefficientImage.Plane] {
      switch self {
      case .values(let image): image.planes
      case .codes(let image): image.planes
      }
    }
  }

  /// The edits that fill the skeleton's empty scans, without the patches.
  func recoding(
    _ image: Coefficients,
    _ skeleton: [UInt8]
  ) throws(UprightError) -> [Edit] {
    let (parameters, frame) = try parameters(skeleton)
    let encoder = ImageEncoder(parameters, frame: frame)
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

  /// How the original's scans are coded, and its frame.
  private func parameters(
    _ skeleton: [UInt8]
  ) throws(UprightError) -> (CodingParameters, Frame) {
    let (container, frame) = try structure(skeleton, at: skeletonStart, transform)
    let parameters = try ImageDecoding(container, frame, skeleton).parameters
    // A hostile record could ask for hundreds of scans of the image's size.
    guard parameters.isWithoutRepetition,
      info.map({ $0.scans.count == parameters.scans.count }) != false
    else { throw UprightError(.verification, "the record does not belong to this file") }
    return (parameters, frame)
  }

  /// The original's coefficients, read from the result.
  ///
  /// - Parameters:
  ///   - result: The rewritten file.
  ///   - skeleton: The original without the data of its scans.
  /// - Returns: The coefficients of the unturned image.
  /// - Throws: ``UprightError``.
  func coefficients(
    _ result: [UInt8],
    _ skeleton: [UInt8]
  ) throws(UprightError) -> Coefficients {
    if let exceptions { return .values(try restored(exceptions, result, skeleton)) }
    let (container, frame) = try structure(result, at: resultStart, transform.inverse)
    let decoding = try ImageDecoding(container, frame, result)
    let (parameters, original) = try parameters(skeleton)
    if info?.needsBlocks != true, original.components.count == frame.components.count,
      let codes = ImageEncoder(parameters, frame: original).codes(.given)
    {
      return .codes(try decoding.coefficients(result, transform: transform.inverse, codes: codes).0)
    }
    return .values(try decoding.coefficients(result, transform: transform.inverse).0)
  }

  /// The original's coefficients, restored from a redraw.
  private func restored(
    _ exceptions: RedrawExceptions,
    _ result: [UInt8],
    _ skeleton: [UInt8]
  ) throws(UprightError) -> SparseImage {
    let (container, frame) = try structure(skeleton, at: skeletonStart, transform)
    let (resultContainer, resultFrame) = try structure(result, at: resultStart, transform.inverse)
    let decoding = try ImageDecoding(resultContainer, resultFrame, result)
    let reencoded = try decoding.coefficients(result, transform: .none).0
    guard
      let tables = try? QuantizationTables.tables(of: frame, in: container, skeleton.span),
      let resultTables = try? QuantizationTables.tables(
        of: resultFrame,
        in: resultContainer,
        result.span
      ),
      reencoded.planes == CoefficientImage.planes(of: frame.transformed(by: transform)),
      let image = try? Redraw(
        frame: frame,
        tables: tables,
        transform: transform,
        resultTables: resultTables
      )
      .restored(reencoded, exceptions)
    else { throw UprightError(.verification, "the re-encoded components cannot be restored") }
    return image
  }

  /// The coefficients of the image as it is in the result.
  func resultCoefficients(_ result: [UInt8]) throws(UprightError) -> SparseImage {
    let (container, frame) = try structure(result, at: resultStart, transform.inverse)
    return try ImageDecoding(container, frame, result).coefficients(result, transform: .none).0
  }

  /// The edits that fill the skeleton's empty scans.
  func edits(_ result: [UInt8], _ skeleton: [UInt8]) throws(UprightError) -> [Edit] {
    var edits = try recoding(coefficients(result, skeleton), skeleton)
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

  /// The structure and the frame of an image that can be transformed: only then may anything be read of it.
  private func structure(
    _ bytes: [UInt8],
    at start: Int,
    _ transform: OrientationTransform
  ) throws(UprightError) -> (Container, Frame) {
    do throws(ContainerError) {
      let container = try Container(bytes.span, at: start)
      let headers = container.segments.filter { $0.marker.startsFrame }
      guard headers.count == 1 else {
        throw ContainerError(
          .malformed,
          at: start,
          "the image must have exactly one frame header (SOF)"
        )
      }
      let frame = try Frame(headers[0], in: bytes.span)
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
      return (container, frame)
    } catch {
      throw UprightError(error)
    }
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
    for (number, patch) in patches.sorted(by: { $0.key < $1.key }) {
      writer.write(number)
      writer.write(patch.prefix)
      writer.write(patch.suffix)
      writer.write(patch.bytes)
    }
  }

  init(from reader: inout CompactReader) throws(CompactReader.Failure) {
    resultStart = try reader.number()
    skeletonStart = try reader.number()
    transform = try OrientationTransform(from: &reader)
    if try reader.number(in: 0...1) == 1 {
      let read = try ReconstructionInfo(from: &reader)
      // Nobody writes one that says nothing; it is none.
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
  fileprivate init(prefix: Int, suffix: Int, bytes: [UInt8]) {
    self.prefix = prefix
    self.suffix = suffix
    self.bytes = bytes
  }
}
