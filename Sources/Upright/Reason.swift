/// Why a file is already upright, or is skipped.
public struct Reason: Hashable, Sendable {
  /// Which reason it is.
  public var code: Code
  /// The reason in words for people, with what they can do about it.
  public var explanation: String { advice.map { "\(cause) (\($0))" } ?? cause }
  /// The reason in words for people who have no command line.
  package var cause: String
  /// Which options of the command decide otherwise.
  package var advice: String?
  /// Why the Orientation tag may be stale, where that is the reason.
  public var evidence: [TagEvidence] = []

  /// Makes a reason from its parts.
  public init(_ code: Code, _ explanation: String) {
    self.init(code, explanation, advice: nil)
  }

  /// Makes a reason that options of the command decide about.
  package init(_ code: Code, _ cause: String, advice: String?) {
    self.code = code
    self.cause = cause
    self.advice = advice
  }
}

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

  static let asStored = Reason(.asStored, "the image is stored as it is to be seen")

  static func tagAlready(_ value: Int) -> Reason {
    Reason(.tagAlready, "Orientation is \(value) already")
  }

  static let noOrientationEntry = Reason(
    .noOrientationEntry,
    "Exif has no Orientation, and no room for one where nothing may move; transform the image itself instead"
  )

  static let noRoomForExif = Reason(
    .noRoomForExif,
    "there is no Exif block, and a new one would move bytes that others point to; transform the image itself"
      + " instead"
  )

  static func reservedOrientation(_ value: Int) -> Reason {
    Reason(
      .reservedOrientation,
      "Orientation is \(value), which has no meaning (1 to 8 have); set the tag right and run again"
    )
  }

  static func unclearOrientation(_ values: [Int]) -> Reason {
    let list = values.map(String.init).joined(separator: " and ")
    return Reason(
      .unclearOrientation,
      "the file says Orientation \(list) at once; set one of them right and run again"
    )
  }

  static func unreadableExif(_ problem: String) -> Reason {
    Reason(.exifUnreadable, "the Exif block cannot be read: \(problem)")
  }

  static func unalignedEdge(_ loss: String) -> Reason {
    Reason(
      .unalignedEdge,
      "the image's edge is not a whole number of blocks, a lossless transform would lose \(loss)",
      advice: "--unaligned redraw keeps them, trim cuts them off"
    )
  }

  static func conflict(_ evidence: [TagEvidence]) -> Reason {
    var reason = Reason(
      .conflict,
      "stale Orientation tag suspected: " + evidence.map { $0.text }.joined(separator: "; "),
      advice: "--on-conflict trust-tag rotates it anyway, reset-tag sets Orientation to 1"
    )
    reason.evidence = evidence
    return reason
  }

  static func embeddedImage(_ role: EmbeddedImage.Role, _ problem: String) -> Reason {
    Reason(
      .embeddedImage,
      "the \(role.rawValue) in the file would have to be transformed with the image, and cannot be: \(problem)"
    )
  }

  static let sharedBytes = Reason(
    .sharedBytes,
    "two fields that would have to change share the same bytes, so that the file contradicts itself"
  )

  static let absoluteOffsets = Reason(
    .absoluteOffsets,
    "bytes after the image hold offsets from the start of the file, and would have to move"
  )

  static let contentCredentials = Reason(
    .contentCredentials,
    "the file carries C2PA content credentials, which any change of the file makes invalid"
  )

  static let jpegXT = Reason(
    .jpegXT,
    "JPEG XT data in the file refines the image as it is stored and cannot be transformed"
  )

  static let arithmeticCoding = Reason(
    .arithmeticCoding,
    "the image is arithmetic-coded, which can be read but not written again"
  )

  static func codingProcess(_ process: String) -> Reason {
    Reason(.codingProcess, "the image is coded as \(process), which the decoder does not read")
  }

  static func samplePrecision(_ bits: Int) -> Reason {
    Reason(
      .samplePrecision,
      "the image has \(bits) bits a sample; 8 can be transformed, and few programs show others"
    )
  }

  static func sampling(_ factors: String) -> Reason {
    Reason(.sampling, "the decoder does not read the sampling factors \(factors)")
  }

  static let heightByDNL = Reason(
    .heightByDNL,
    "the frame header gives no height (a DNL segment may), which decoders refuse"
  )

  static func pixelLimit(_ width: Int, _ height: Int, _ limit: Int) -> Reason {
    Reason(
      .pixelLimit,
      "the image claims \(width)×\(height) pixels, more than the limit of \(limit)"
    )
  }

  static func scanLimit(_ scans: Int, _ blocks: Int) -> Reason {
    Reason(
      .scanLimit,
      "the image has \(scans) scans of \(blocks) blocks, which would take too long to decode"
    )
  }

  static func memoryLimit(_ need: Int, _ limit: Int) -> Reason {
    Reason(
      .memoryLimit,
      "the file would take about \(need >> 20) MiB of memory, more than the limit of \(limit >> 20)",
      advice: "--memory"
    )
  }

  static let incompleteProgression = Reason(
    .incompleteProgression,
    "the scans of the progressive image are incomplete, so that it cannot be transformed as it is"
  )

  static let noUndo = Reason(
    .noUndo,
    "the identical file could not be restored from the result",
    advice: "--require-undo asks for that"
  )

  static let noEndOfImage = Reason(
    .noEndOfImage,
    "the file is damaged: it ends before the image does (no EOI)"
  )

  static func strayBytes(at offset: Int) -> Reason {
    Reason(
      .strayBytes,
      "the file is damaged: bytes between two segments belong to neither (at byte \(offset))"
    )
  }
}
