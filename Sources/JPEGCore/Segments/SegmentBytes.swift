/// The bytes of metadata segments, as a file gets them that had none (T.81, B.2.4.6).
package enum SegmentBytes {
  /// The longest payload of a segment, in bytes.
  package static let longest = 65_533

  /// An APPn segment; nil where the payload is too long for one.
  package static func application(_ number: UInt8, _ payload: [UInt8]) -> [UInt8]? {
    guard payload.count <= longest else { return nil }
    return [0xFF, Marker.app(number).rawValue] + UInt16(payload.count + 2).bytes(.big) + payload
  }

  /// The APP1 segment of a TIFF file (Exif 2.32, 4.7.2); nil where it is too long.
  package static func exif(_ block: [UInt8]) -> [UInt8]? {
    application(1, Array("Exif\0\0".utf8) + block)
  }

  /// The APP1 segment of an XMP packet (XMP specification, part 3, 1.1.3); nil where it is too long.
  package static func xmp(_ packet: [UInt8]) -> [UInt8]? {
    application(1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  /// The APP1 segments of extended XMP (XMP specification, part 3, 1.1.3.1).
  ///
  /// - Parameters:
  ///   - serialization: The XMP without a packet wrapper, at most 4 GiB.
  ///   - identifier: Its MD5 as 32 upper-case hexadecimal digits, which the packet in the standard segment names.
  /// - Returns: The segments, in the order of their parts.
  package static func extendedXMP(_ serialization: [UInt8], identifier: String) -> [[UInt8]] {
    let header = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(identifier.utf8)
    let size = longest - header.count - 8
    let length = UInt32(serialization.count).bytes(.big)
    return stride(from: 0, to: serialization.count, by: size).compactMap { start in
      let part = serialization[start..<min(start + size, serialization.count)]
      return application(1, header + length + UInt32(start).bytes(.big) + part)
    }
  }

  /// The APP2 segments of an ICC profile (ICC.1:2022, B.4); nil where 255 of them are too few.
  package static func iccProfile(_ profile: [UInt8]) -> [[UInt8]]? {
    let identifier = Array("ICC_PROFILE\0".utf8)
    let size = longest - identifier.count - 2
    let starts = Array(stride(from: 0, to: profile.count, by: size))
    guard let count = UInt8(exactly: starts.count) else { return nil }
    return zip(1...255, starts).compactMap { number, start in
      let part = profile[start..<min(start + size, profile.count)]
      return application(2, identifier + [UInt8(number), count] + part)
    }
  }
}
