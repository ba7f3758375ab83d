/// The reason why a file is unchanged, reset or skipped.
public struct Reason: Hashable, Sendable {
  /// The identifier.
  public var code: Code
  /// The reason and the advice as text for people.
  public var explanation: String { advice.map { "\(cause) (\($0))" } ?? cause }
  /// The reason without the advice, as text for people.
  package var cause: String
  /// What to do about it, as text for people.
  package var advice: String?
  /// What changes the decision.
  public var remedies: [Remedy]
  /// The evidence, if the reason is a suspected stale Orientation tag.
  public var evidence: [TagEvidence] = []

  /// Creates a reason from its parts.
  public init(_ code: Code, _ cause: String, remedies: [Remedy] = []) {
    self.code = code
    self.cause = cause
    self.remedies = remedies
    advice = remedies.lazy.compactMap { $0.textOfAction }.first
  }
}

/// The planner throws it where it is found; a plan has it as a value.
extension Reason: Error {}

extension Reason: CustomStringConvertible {
  /// The explanation.
  public var description: String { explanation }
}

extension Reason {
  static let upright = Reason(.upright, "Orientation is 1")
  static let noOrientation = Reason(.noOrientation, "there is no Orientation tag")

  static let unknownOrientation = Reason(
    .unknownOrientation,
    "Orientation is 0 (unknown) and is treated as 1"
  )

  static let asStored = Reason(.asStored, "the stored image already has the requested orientation")

  static func tagAlready(_ value: Int) -> Reason {
    Reason(.tagAlready, "Orientation is already \(value)")
  }

  static let noOrientationEntry = Reason(
    .noOrientationEntry,
    "Exif has no Orientation tag, and adding one would move data that offsets point to",
    remedies: [Remedy(.action(.transformImage), "rotate or flip the image itself instead")]
  )

  static let noRoomForExif = Reason(
    .noRoomForExif,
    "there is no Exif block, and adding one would move data that offsets point to",
    remedies: [Remedy(.action(.transformImage), "rotate or flip the image itself instead")]
  )

  static func reservedOrientation(_ value: Int64) -> Reason {
    Reason(
      .reservedOrientation,
      "Orientation is \(value); only 1 to 8 are defined",
      remedies: [Remedy(.action(.correctOrientation), "set a valid Orientation")]
    )
  }

  /// The reason to set an Orientation without a meaning to 1.
  static func invalidOrientation(_ value: Int64) -> Reason {
    Reason(
      value == 0 ? .unknownOrientation : .reservedOrientation,
      "Orientation is \(value), which has no meaning"
    )
  }

  static func unclearOrientation(_ values: [Int64]) -> Reason {
    let list = values.map { "\($0)" }.joined(separator: " and ")
    return Reason(
      .unclearOrientation,
      "the file's Orientation tags contradict each other: \(list)",
      remedies: [Remedy(.action(.correctOrientation), "set all of them to one value")]
    )
  }

  static func unreadableExif(_ problem: String) -> Reason {
    Reason(.exifUnreadable, "the Exif block cannot be read: \(problem)")
  }

  static let noRoomInXMP = Reason(
    .noOrientationEntry,
    "the XMP packet has no room for another Orientation"
  )

  static func noPage(_ number: Int, of count: Int) -> Reason {
    Reason(.noPage, "the file has no page \(number); it has \(count)")
  }

  static func unreadable(_ place: String, _ problem: String) -> Reason {
    Reason(.exifUnreadable, "\(place) cannot be read: \(problem)")
  }

  static func unalignedEdge(_ loss: String, canTrim: Bool) -> Reason {
    let trimming = [Remedy.unaligned(.trim, "cut the edge off")]
    return Reason(
      .unalignedEdge,
      "the image size is not a multiple of the MCU size; a lossless transform would cut off \(loss)",
      remedies: [.unaligned(.redraw, "re-encode the affected components")]
        + (canTrim ? trimming : [])
    )
  }

  static func unalignedEdge(_ role: EmbeddedImage.Role) -> Reason {
    Reason(
      .unalignedEdge,
      "the size of the \(role.rawValue) is not a multiple of its MCU size; it would be re-encoded",
      remedies: [.unaligned(.redraw, "re-encode it")]
    )
  }

  package static func conflict(_ evidence: [TagEvidence]) -> Reason {
    var reason = Reason(
      .conflict,
      "stale Orientation tag suspected: " + evidence.map { $0.text }.joined(separator: "; "),
      remedies: [
        .onConflict(.trustTag, "rotate it as the tag says"),
        .onConflict(.resetTag, "keep it as stored and set Orientation to 1"),
      ]
    )
    reason.evidence = evidence
    return reason
  }

  static func embeddedImage(_ role: EmbeddedImage.Role, _ problem: String) -> Reason {
    let name = role == .unknown ? "image of unknown purpose" : role.rawValue
    return Reason(
      .embeddedImage,
      "the \(name) in the file cannot be transformed with the image: \(problem)"
    )
  }

  static func registeredData(_ data: [RegisteredData]) -> Reason {
    Reason(
      .registeredData,
      "the file has data that would no longer fit the image: "
        + data.map { $0.name }.joined(separator: ", "),
      remedies: [.registeredData(.keep, "transform the image and keep the data as it is")]
    )
  }

  static let sharedBytes = Reason(
    .sharedBytes,
    "the file is inconsistent: a field that must change shares bytes with another field"
  )

  static let absoluteOffsets = Reason(
    .absoluteOffsets,
    "data after the image would have to move, but holds offsets from the start of the file"
  )

  package static let contentCredentials = Reason(
    .contentCredentials,
    "the file has C2PA content credentials, which any change makes invalid",
    remedies: [
      .contentCredentials(.keep, "rewrite it anyway"),
      .contentCredentials(.strip, "rewrite it and remove them"),
    ]
  )

  static let jpegXT = Reason(
    .jpegXT,
    "the file has JPEG XT data, which refines the stored image and cannot be transformed"
  )

  static let arithmeticCoding = Reason(
    .arithmeticCoding,
    "the image is arithmetic-coded; only Huffman coding can be written"
  )

  static func codingProcess(_ process: String) -> Reason {
    Reason(.codingProcess, "the image is coded as \(process) JPEG, which is not supported")
  }

  static func samplePrecision(_ bits: Int) -> Reason {
    Reason(
      .samplePrecision,
      "the image has \(bits) bits per sample; only 8 are supported"
    )
  }

  static func sampling(_ factors: String) -> Reason {
    Reason(
      .sampling,
      "the sampling factors \(factors) make MCUs of more than 10 blocks, which JPEG does not allow"
    )
  }

  static let heightByDNL = Reason(
    .heightByDNL,
    "the frame header gives no height, or a DNL segment gives one, which is not supported"
  )

  static func pixelLimit(_ width: Int, _ height: Int, _ limit: Int) -> Reason {
    Reason(
      .pixelLimit,
      "the image header gives \(width)×\(height) pixels, more than the limit of \(limit)",
      remedies: [.limit("max-pixels")]
    )
  }

  static func scanLimit(_ scans: Int, _ limit: Int) -> Reason {
    Reason(
      .scanLimit,
      "the image has \(scans) scans, more than the limit of \(limit)",
      remedies: [.limit("max-scans")]
    )
  }

  static func scanLimit(_ scans: Int, blocks: Int) -> Reason {
    Reason(
      .scanLimit,
      "the image has \(scans) scans of \(blocks) blocks each, which would take too long to decode"
    )
  }

  static func memoryLimit(_ need: Int64, _ limit: Int) -> Reason {
    Reason(
      .memoryLimit,
      "the file would need about \(((need - 1) >> 20) + 1) MiB of memory, "
        + "more than the limit of \(limit >> 20) MiB",
      remedies: [.limit("memory")]
    )
  }

  static let incompleteProgression = Reason(
    .incompleteProgression,
    "the progressive scans are incomplete: they lack coefficients that the transform needs"
  )

  package static let noUndo = Reason(
    .noUndo,
    "the original could not be restored from the result, byte for byte",
    remedies: [Remedy(.policy("require-undo", "false"), "rewrite it anyway")]
  )

  static let noEndOfImage = Reason(
    .noEndOfImage,
    "the file is damaged: it ends before the end of the image (no EOI marker)"
  )
}
