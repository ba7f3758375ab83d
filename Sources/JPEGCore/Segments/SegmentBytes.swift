internal import FileBytes

/// Creates metadata segments for files that have none (T.81, B.2.4.6).
package enum SegmentBytes {
  /// The maximum payload of a segment, in bytes.
  package static let maxPayload = 65_533

  /// Returns an APPn segment, or nil if the payload is too long.
  package static func application(_ number: UInt8, _ payload: [UInt8]) -> [UInt8]? {
    guard payload.count <= maxPayload else { return nil }
    return [0xFF, Marker.app(number).rawValue] + UInt16(payload.count + 2).bytes(.big) + payload
  }

  /// Returns the APP1 segment of a TIFF block (Exif 2.32, 4.7.2), or nil if it is too long.
  package static func exif(_ block: [UInt8]) -> [UInt8]? {
    application(1, Array("Exif\0\0".utf8) + block)
  }

  /// Returns the APP1 segment of an XMP packet (XMP specification, part 3, 1.1.3), or nil if it is too long.
  package static func xmp(_ packet: [UInt8]) -> [UInt8]? {
    application(1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  /// Returns the APP1 segments of extended XMP (XMP specification, part 3, 1.1.3.1).
  ///
  /// The serialization has no packet wrapper and at most 4 GiB. The identifier is its MD5 as 32 upper-case hexadecimal
  /// digits, which the packet in the standard segment refers to.
  package static func extendedXMP(_ serialization: [UInt8], identifier: String) -> [[UInt8]] {
    let header = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(identifier.utf8)
    let size = maxPayload - header.count - 8
    let length = UInt32(serialization.count).bytes(.big)
    return stride(from: 0, to: serialization.count, by: size).compactMap { start in
      let part = serialization[start..<min(start + size, serialization.count)]
      return application(1, header + length + UInt32(start).bytes(.big) + part)
    }
  }

  /// Returns the APP2 segments of an ICC profile (ICC.1:2022, B.4), or nil if it requires more than 255.
  package static func iccProfile(_ profile: [UInt8]) -> [[UInt8]]? {
    let identifier = Array("ICC_PROFILE\0".utf8)
    let size = maxPayload - identifier.count - 2
    let starts = Array(stride(from: 0, to: profile.count, by: size))
    guard let count = UInt8(exactly: starts.count) else { return nil }
    return zip(1...255, starts).compactMap { number, start in
      let part = profile[start..<min(start + size, profile.count)]
      return application(2, identifier + [UInt8(number), count] + part)
    }
  }
}
