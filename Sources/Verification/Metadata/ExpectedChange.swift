internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// A part of Photoshop's resources, or of IPTC, that a transform changes, found by the bytes around it and not by the
/// structure, with the bytes that are expected in the result.
struct ExpectedChange {
  /// The place in the original.
  let range: Range<Int>
  let new: [UInt8]
  let field: String
  /// The values as texts.
  var texts = (old: "", new: "")
}

extension ComparedFiles {
  private static let layout: [UInt8] = [0x1C, 2, 131, 0, 1]

  private static func letter(_ size: PixelSize) -> UInt8 {
    Array("LSP".utf8)[size.width > size.height ? 0 : size.width == size.height ? 1 : 2]
  }

  /// Returns the places in a part of the original that may change, and how.
  func expectedChanges(
    _ a: Range<Int>,
    _ b: Range<Int>,
    _ transform: OrientationTransform,
    _ sizes: (old: PixelSize, new: PixelSize)
  ) -> [ExpectedChange] {
    guard transform != .none || sizes.old != sizes.new else { return [] }
    let bytes = original.span
    var changes: [ExpectedChange] = []
    for place in Self.places(of: Self.layout, in: a, bytes) {
      let letter = [Self.letter(sizes.new)]
      changes.append(ExpectedChange(range: place..<place + 1, new: letter, field: "iptc.layout"))
    }
    for place in Self.resources(1061, length: 16, in: a, bytes) {
      guard let iptc = Self.resources(1028, length: nil, in: b, result.span).first else {
        continue
      }
      let length = result.span.uint32(at: iptc - 4)?.length ?? 0
      let data = (iptc..<iptc + length).clamped(to: b)
      let digest = MD5.digest(of: result.span.bytes(data))
      changes.append(ExpectedChange(range: place..<place + 16, new: digest, field: "iptc.digest"))
    }
    guard transform.transposes else { return changes }
    for place in Self.resources(1005, length: 16, in: a, bytes) {
      let value = bytes.bytes(place..<place + 16)
      let exchanged = Array(value[8...] + value[..<8])
      changes.append(
        ExpectedChange(range: place..<place + 16, new: exchanged, field: "photoshop.resolution")
      )
    }
    for place in Self.resources(1064, length: 12, in: a, bytes) {
      let ratio = Self.double(bytes, at: place + 4)
      let found = Self.double(result.span, at: place + 4 + b.lowerBound - a.lowerBound)
      guard abs(found * ratio - 1) < 1e-12 else { continue }
      let start = place + 4 + b.lowerBound - a.lowerBound
      changes.append(
        ExpectedChange(
          range: place + 4..<place + 12,
          new: result.span.bytes(start..<start + 8),
          field: "photoshop.pixel-aspect"
        )
      )
    }
    return changes
  }

  /// Returns notes on layouts in a part of the result that are not that of its image.
  func staleLayouts(
    _ range: Range<Int>,
    _ sizes: (old: PixelSize, new: PixelSize)
  ) -> [Observation] {
    let bytes = result.span
    let before = Self.letter(sizes.old)
    guard Self.letter(sizes.new) != before else { return [] }
    return Self.places(of: Self.layout, in: range, bytes).filter { bytes[$0] == before }.map {
      .note(
        .regionKept,
        "the Image Orientation of IPTC is unchanged and describes the image as it was stored",
        result: $0
      )
    }
  }

  /// Returns the places of XMP packets in Photoshop's resources.
  static func packets(in range: Range<Int>, _ bytes: Span<UInt8>) -> [Range<Int>] {
    resources(1060, length: nil, in: range, bytes).map { start in
      (start..<start + (bytes.uint32(at: start - 4)?.length ?? 0)).clamped(to: range)
    }
  }

  private static func double(_ bytes: Span<UInt8>, at place: Int) -> Double {
    let (high, low) = (bytes.uint32(at: place) ?? 0, bytes.uint32(at: place + 4) ?? 0)
    return Double(bitPattern: UInt64(high) << 32 | UInt64(low))
  }

  private static func resources(
    _ number: UInt16,
    length: UInt32?,
    in range: Range<Int>,
    _ bytes: Span<UInt8>
  ) -> [Int] {
    let head = Array("8BIM".utf8) + number.bytes(.big) + [0, 0]
    let starts = places(of: head, in: range, bytes).map { $0 + 4 }
    return starts.filter { start in
      guard let length else { return start <= range.upperBound }
      return bytes.uint32(at: start - 4) == length && start + Int(length) <= range.upperBound
    }
  }

  /// Returns the offsets after each occurrence of some bytes, with room for one more.
  private static func places(
    of mark: [UInt8],
    in range: Range<Int>,
    _ bytes: Span<UInt8>
  ) -> [Int] {
    range.dropLast(min(range.count, mark.count)).filter { bytes.hasPrefix(mark, at: $0) }.map {
      $0 + mark.count
    }
  }
}
