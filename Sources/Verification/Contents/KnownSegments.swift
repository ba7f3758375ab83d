internal import FileBytes

/// The APPn segments that have a public meaning and no positions in the image besides those that are compared by value or
/// searched for as registered data.
enum KnownSegments {
  /// Returns whether the use of a segment without a ``SegmentKind`` is known.
  static func contains(_ application: UInt8, _ payload: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    list.contains { number, mark, distance in
      number == application && bytes.hasPrefix(mark, at: payload.lowerBound + distance)
    }
  }

  private static let list: [(application: UInt8, mark: StaticString, at: Int)] = [
    // The polarity of fields of video.
    (0, "AVI1", 0),
    // Registered data.
    (1, "FLIR\0", 0), (1, "PARROT\0", 0), (2, "IJPEG\0", 4), (3, "_JPSJPS_", 0), (3, "Stim\0", 0),
    (4, "SCALADO\0", 0), (11, "HDR_RI ", 0),
    // Comments, ratings, quality and color spaces of programs; exposure as text.
    (9, "Media Jukebox\0", 0), (10, "UNICODE\0", 0), (12, "Ducky", 0), (12, "[picture info]", 0),
    (13, "Adobe_CM", 0), (15, "Q ", 0),
  ]

  /// The image resources of Photoshop that have a public meaning: all but color samplers (1038, 1073), counts (1080), paths
  /// that are open (3000) and those of plug-ins.
  static func containsResource(_ number: UInt16) -> Bool {
    resources.contains { $0.contains(number) }
  }

  private static let resources: [ClosedRange<UInt16>] = [
    1000...1037, 1039...1072, 1074...1079, 1081...1088, 2000...2999, 7000...7002, 8000...8000,
    10000...10001,
  ]
}
