package import FileBytes

/// A marker segment, as ranges of the file.
package struct Segment: Hashable, Sendable {
  /// The segment's marker.
  package var marker: Marker
  /// The bytes from the marker's 0xFF to the end of the payload, without fill bytes before it.
  package var range: Range<Int>
  /// The bytes after the length field; empty for markers that stand alone.
  package var payload: Range<Int>

  package init(marker: Marker, range: Range<Int>, payload: Range<Int>) {
    self.marker = marker
    self.range = range
    self.payload = payload
  }
}

/// The use of an APPn or COM segment, by the identifier at the start of its payload.
package enum SegmentKind: String, Sendable, Hashable, CaseIterable {
  case jfif = "JFIF"
  case jfifExtension = "JFXX"
  case exif = "Exif"
  case xmp = "XMP"
  case extendedXMP = "extended XMP"
  case iccProfile = "ICC profile"
  case multiPicture = "MPF"
  case isoGainMap = "ISO 21496-1 gain map"
  case photoshop = "Photoshop"
  case adobe = "Adobe"
  case flashPix = "FlashPix"
  case jumbf = "JUMBF"
  case jpegXT = "JPEG XT"
  case undoData = "undo data"
  case comment = "comment"
  case unknown = "unknown"

  /// The number of the kind's application marker; nil if it has none.
  var application: UInt8? {
    switch self {
    case .jumbf, .jpegXT: 11
    default: Self.identifiers.first { $0.kind == self }?.application
    }
  }

  private static let identifiers: [(application: UInt8, text: StaticString, kind: SegmentKind)] = [
    (0, "JFIF\0", .jfif), (0, "JFXX\0", .jfifExtension), (1, "Exif\0", .exif),
    (1, "http://ns.adobe.com/xap/1.0/\0", .xmp),
    (1, "http://ns.adobe.com/xmp/extension/\0", .extendedXMP),
    (2, "ICC_PROFILE\0", .iccProfile), (2, "MPF\0", .multiPicture),
    (2, "urn:iso:std:iso:ts:21496:-1\0", .isoGainMap), (2, "FPXR\0", .flashPix),
    (13, "Photoshop 3.0\0", .photoshop), (14, "Adobe", .adobe), (15, "Upright undo\0", .undoData),
  ]

  /// Determines the kind from a segment's marker and the first bytes of its payload.
  package init(of segment: Segment, in bytes: Span<UInt8>) {
    guard let application = segment.marker.applicationNumber else {
      self = segment.marker == .comment ? .comment : .unknown
      return
    }
    let payload = bytes.extracting(segment.payload.clamped(to: 0..<bytes.count))
    for known in Self.identifiers
    where known.application == application && payload.hasPrefix(known.text) {
      self = known.kind
      return
    }
    // Both are boxes after a common identifier, an instance number and a sequence number; JPEG XT's box
    // types are not JUMBF's superbox type.
    if application == 11, payload.hasPrefix("JP") {
      self = payload.hasPrefix("jumb", at: 12) ? .jumbf : .jpegXT
      return
    }
    self = .unknown
  }
}

extension Segment {
  /// Returns the edit of the length field if the payload grows by some bytes.
  package func lengthEdit(growingBy growth: Int, field: String) -> Edit {
    let (position, old) = (range.lowerBound + 2, range.count - 2)
    return Edit(
      position..<position + 2,
      with: UInt16(old + growth).bytes(.big),
      field: Edit.Field(field, old: "\(old)", new: "\(old + growth)")
    )
  }

  /// Returns the use of the segment.
  package func kind(in bytes: Span<UInt8>) -> SegmentKind { SegmentKind(of: self, in: bytes) }

  /// The length of an APP11 payload before the content of its box: an identifier, two numbers, length and type of the box
  /// (ISO/IEC 18477-3, annex B).
  package static let boxHeaderLength = 16

  /// Returns the length of the identifier of an APPn payload, including its terminator.
  package static func identifierLength(_ kind: SegmentKind) -> Int {
    switch kind {
    case .exif: 6
    case .xmp: 29
    case .multiPicture: 4
    default: 0
    }
  }
}
