#if !hasFeature(Embedded)
internal import ExifReference
internal import JPEGCore
internal import Upright

/// An independent check of a proof: the tags that libexif reads in both files must agree, except those that a
/// transform changes.
public struct TagComparison {
  private let old: ExifReference?
  private let new: ExifReference?

  /// Reads the tags of both files.
  ///
  /// - Parameters:
  ///   - original: The file before.
  ///   - result: The file afterwards.
  public init(original: [UInt8], result: [UInt8]) {
    old = Self.tags(original)
    new = Self.tags(result)
  }

  private static func tags(_ bytes: [UInt8]) -> ExifReference? {
    guard let container = try? Container(bytes.span, extent: .header),
      let segment = container.segments(.exif, in: bytes.span).first
    else { return nil }
    return ExifReference(app1Payload: Array(bytes[segment.payload]))
  }

  /// Adds the differences of the tags to a verdict.
  public func add(to verdict: inout Verdict) {
    guard let old else { return }
    guard let new else {
      verdict.findings.append(
        .init(
          "libexif-tags",
          "libexif reads \(old.tags.count) tags in the original, none in the result"
        )
      )
      return
    }
    var names: [String] = []
    let allowed = verdict.allowedTags
    var seen: Set<[TagValue]> = []
    for directory in ReferenceTag.Directory.allCases {
      // Damaged pointers can make libexif read a directory again under another name.
      let values = old.tags.filter { $0.directory == directory }.map(TagValue.init)
      guard seen.insert(values).inserted else { continue }
      let mine = old.tags.filter { $0.directory == directory && !allowed.contains($0.key) }
      let theirs = new.tags.filter { $0.directory == directory && !allowed.contains($0.key) }
      for tag in mine {
        guard let other = theirs.first(where: { $0.tag == tag.tag }) else {
          names.append("\(directory.rawValue) \(tag.name) is missing")
          continue
        }
        if tag.bytes != other.bytes, old.byteOrder == new.byteOrder || tag.text != other.text {
          names.append("\(directory.rawValue) \(tag.name) has another value")
        }
      }
    }
    if old.makerNote != new.makerNote { names.append("the MakerNote differs") }
    guard !names.isEmpty else { return }
    verdict.findings.append(
      .init(
        "libexif-tags",
        "libexif reads different tags: " + names.prefix(8).joined(separator: ", ")
          + (names.count > 8 ? " and \(names.count - 8) more" : "")
      )
    )
  }
}

/// A tag by its directory and number.
struct TagKey: Hashable {
  var directory: ReferenceTag.Directory
  var tag: UInt16
}

/// A tag independent of its directory.
private struct TagValue: Hashable {
  var tag: UInt16
  var bytes: [UInt8]

  init(_ tag: ReferenceTag) {
    self.tag = tag.tag
    bytes = tag.bytes
  }
}

extension ReferenceTag {
  fileprivate var key: TagKey { TagKey(directory: directory, tag: tag) }
}

extension Verdict {
  /// The tags that a transform may change, from the fields that the verdict lists.
  fileprivate var allowedTags: Set<TagKey> {
    let fields = Set(differences.map(\.field.rawValue))
    let tags: [(String, ReferenceTag.Directory, [UInt16])] = [
      ("exif.ifd0.orientation", .ifd0, [ExifTag.orientation]),
      ("exif.ifd0.0x02BC", .ifd0, [ExifTag.xmp]),
      ("exif.ifd0.0x8649", .ifd0, [ExifTag.imageResources]),
      ("exif.ifd0.0x83BB", .ifd0, [ExifTag.iptc]),
      ("exif.ifd0.image-width", .ifd0, [ExifTag.imageWidth]),
      ("exif.ifd0.image-length", .ifd0, [ExifTag.imageLength]),
      ("exif.exif.pixel-x-dimension", .exif, [ExifTag.pixelXDimension]),
      ("exif.exif.pixel-y-dimension", .exif, [ExifTag.pixelYDimension]),
      (
        "exif.interoperability.related-image-width", .interoperability,
        [ExifTag.relatedImageWidth]
      ),
      (
        "exif.interoperability.related-image-height", .interoperability,
        [ExifTag.relatedImageHeight]
      ),
      ("exif.ifd0.x-resolution", .ifd0, [ExifTag.xResolution]),
      ("exif.ifd0.y-resolution", .ifd0, [ExifTag.yResolution]),
      ("exif.exif.x-focal-plane-resolution", .exif, [ExifTag.focalPlaneXResolution]),
      ("exif.exif.y-focal-plane-resolution", .exif, [ExifTag.focalPlaneYResolution]),
      ("exif.exif.subject-area", .exif, [ExifTag.subjectArea]),
      ("exif.exif.subject-location", .exif, [ExifTag.subjectLocation]),
      (
        "exif.ifd1.orientation", .ifd1, [ExifTag.orientation]
      ),
      ("exif.ifd1.image-width", .ifd1, [ExifTag.imageWidth]),
      ("exif.ifd1.image-length", .ifd1, [ExifTag.imageLength]),
      ("exif.ifd1.rows-per-strip", .ifd1, [ExifTag.rowsPerStrip]),
    ]
    return Set(
      tags.filter { fields.contains($0.0) }.flatMap { entry in
        entry.2.map { TagKey(directory: entry.1, tag: $0) }
      }
    )
  }
}

extension Verdict.Finding {
  fileprivate init(_ identifier: String, _ text: String) {
    self.init(identifier: identifier, text: text, originalOffset: nil, resultOffset: nil)
  }
}
#endif
