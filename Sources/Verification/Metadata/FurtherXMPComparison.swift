internal import FileBytes
internal import ImageOrientation
internal import Upright
internal import XMPPacket

/// The comparison of XMP in other places than XMP segments: extended XMP, Exif and Photoshop's resources.
struct FurtherXMPComparison {
  let files: ComparedFiles
  let orientation: OrientationTransform
  let transform: OrientationTransform
  let sizes: (old: PixelSize, new: PixelSize)

  /// Compares two packets, each in parts of its file; nil if they cannot be read.
  func compare(_ old: [Range<Int>], _ new: [Range<Int>], _ name: String) -> [Observation]? {
    let (mine, theirs) = (
      old.flatMap { files.original.span.bytes($0) }, new.flatMap { files.result.span.bytes($0) }
    )
    guard Self.hasPosition(mine) else { return mine == theirs ? [] : nil }
    do throws(XMPError) {
      let comparison = XMPComparison(
        old: XMPBlock(try XMPPacket(mine), at: old.first?.lowerBound ?? 0),
        new: XMPBlock(try XMPPacket(theirs), at: new.first?.lowerBound ?? 0),
        transform: transform,
        sizes: sizes,
        orientation: orientation,
        setsOrientation: true,
        ignoresDimensions: true
      )
      return comparison.compare()
    } catch {
      guard transform != .none, mine == theirs else { return nil }
      return [
        .note(.regionKept, "positions in \(name) cannot be read, and are unchanged"),
        .kept("positions in \(name)"),
      ]
    }
  }

  /// Returns whether a text may have positions: names of namespaces, of Camera Raw, faces and drones, and of subjects.
  private static func hasPosition(_ text: [UInt8]) -> Bool {
    let marks: [StaticString] = [
      "Area#", "t/Region#", "Iptc4xmpExt", "camera-raw", "photos/1.0/focus", "drone-dji",
      "faceinfo", "SubjectArea", "SubjectLocation",
    ]
    return marks.contains { text.span.firstOffset(of: $0, in: text.indices) != nil }
  }

  /// Returns what may differ in parts that have Photoshop's resources or XMP itself: whole packets of which nothing is found.
  func expectedChanges(
    _ a: Range<Int>,
    _ b: Range<Int>,
    isPacket: Bool
  ) -> (changes: [ExpectedChange], observations: [Observation]) {
    var changes: [ExpectedChange] = []
    var observations: [Observation] = []
    guard a.count == b.count else { return ([], []) }
    for place in isPacket ? [a] : ComparedFiles.packets(in: a, files.original.span) {
      let start = place.lowerBound + b.lowerBound - a.lowerBound
      let other = start..<start + place.count
      guard let found = compare([place], [other], "another place") else { continue }
      observations += found
      guard !found.hasFinding, !files.isEqual(place, other) else { continue }
      changes.append(
        ExpectedChange(range: place, new: files.result.span.bytes(other), field: "xmp-copy")
      )
    }
    return (changes, observations)
  }
}
