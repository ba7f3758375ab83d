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

  /// The number of the kind's application marker and the identifier at the start of its payload; nil if it has none.
  private var identifier: (application: UInt8, text: StaticString)? {
    switch self {
    case .jfif: (0, "JFIF\0")
    case .jfifExtension: (0, "JFXX\0")
    case .exif: (1, "Exif\0")
    case .xmp: (1, "http://ns.adobe.com/xap/1.0/\0")
    case .extendedXMP: (1, "http://ns.adobe.com/xmp/extension/\0")
    case .iccProfile: (2, "ICC_PROFILE\0")
    case .multiPicture: (2, "MPF\0")
    case .isoGainMap: (2, "urn:iso:std:iso:ts:21496:-1\0")
    case .flashPix: (2, "FPXR\0")
    // Both are boxes after an instance number and a sequence number.
    case .jumbf, .jpegXT: (11, "JP")
    case .photoshop: (13, "Photoshop 3.0\0")
    case .adobe: (14, "Adobe")
    case .undoData: (15, "Upright undo\0")
    case .comment, .unknown: nil
    }
  }

  /// The number of the kind's application marker; nil if it has none.
  var application: UInt8? { identifier?.application }

  /// Determines the kind from a segment's marker and the first bytes of its payload.
  package init(of segment: Segment, in bytes: Span<UInt8>) {
    guard let application = segment.marker.applicationNumber else {
      self = segment.marker == .comment ? .comment : .unknown
      return
    }
    let payload = bytes.extracting(segment.payload.clamped(to: 0..<bytes.count))
    for kind in Self.allCases {
      guard let identifier = kind.identifier, identifier.application == application,
        payload.hasPrefix(identifier.text)
      else { continue }
      // JPEG XT's box types are not JUMBF's superbox type.
      self = kind == .jumbf && !payload.hasPrefix("jumb", at: 12) ? .jpegXT : kind
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
