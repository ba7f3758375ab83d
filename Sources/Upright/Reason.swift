/// Why a file needs nothing, or is left alone.
public struct Reason: Hashable, Sendable {
  /// The stable identifier that machine output carries; `docs/output.md` lists them.
  public var identifier: String
  /// The reason in words for people, with what they can do about it.
  public var explanation: String
  /// Why the Orientation tag may be stale, where that is the reason.
  public var evidence: [TagEvidence] = []

  /// Makes a reason from its parts.
  public init(_ identifier: String, _ explanation: String) {
    self.identifier = identifier
    self.explanation = explanation
  }
}

extension Reason {
  static let upright = Reason("upright", "Orientation is 1")
  static let noOrientation = Reason("no-orientation", "there is no Orientation tag")

  static let unknownOrientation = Reason(
    "unknown-orientation",
    "Orientation is 0 (unknown) and is treated as 1"
  )

  static let asStored = Reason("as-stored", "the picture is stored as it is to be seen")

  static func tagAlready(_ value: Int) -> Reason {
    Reason("tag-already", "Orientation is \(value) already")
  }

  static let noOrientationEntry = Reason(
    "no-orientation-entry",
    "EXIF has no Orientation, and no room for one where nothing may move; turn the picture itself instead"
  )

  static let noRoomForExif = Reason(
    "no-room-for-exif",
    "there is no EXIF block, and a new one would move bytes that others point to; turn the picture itself"
      + " instead"
  )

  static func reservedOrientation(_ value: Int) -> Reason {
    Reason(
      "reserved-orientation",
      "Orientation is \(value), which has no meaning (1 to 8 have); set the tag right and run again"
    )
  }

  static func unclearOrientation(_ values: [Int]) -> Reason {
    let list = values.map(String.init).joined(separator: " and ")
    return Reason(
      "unclear-orientation",
      "the file says Orientation \(list) at once; set one of them right and run again"
    )
  }

  static func unreadableExif(_ problem: String) -> Reason {
    Reason("exif-unreadable", "the EXIF block cannot be read: \(problem)")
  }

  static func unalignedEdge(_ loss: String) -> Reason {
    Reason(
      "unaligned-edge",
      "the picture's edge is not a whole number of blocks, a lossless turn would lose \(loss)"
        + " (--unaligned redraw keeps them, trim cuts them off)"
    )
  }

  static func conflict(_ evidence: [TagEvidence]) -> Reason {
    var reason = Reason(
      "conflict",
      "stale Orientation tag suspected: " + evidence.map { $0.text }.joined(separator: "; ")
        + " (--on-conflict trust-tag rotates it anyway, reset-tag sets Orientation to 1)"
    )
    reason.evidence = evidence
    return reason
  }

  static func embeddedPicture(_ role: EmbeddedPicture.Role, _ problem: String) -> Reason {
    Reason(
      "embedded-picture",
      "the \(role.rawValue) in the file would have to be turned with the picture, and cannot be: \(problem)"
    )
  }

  static let sharedBytes = Reason(
    "shared-bytes",
    "two fields that would have to change share the same bytes, so that the file contradicts itself"
  )

  static let absoluteOffsets = Reason(
    "absolute-offsets",
    "bytes behind the picture hold offsets from the start of the file, and would have to move"
  )

  static let contentCredentials = Reason(
    "content-credentials",
    "the file carries C2PA content credentials, which any change of the file makes invalid"
  )

  static let jpegXT = Reason(
    "jpeg-xt",
    "JPEG XT data in the file refines the picture as it is stored and cannot be turned"
  )

  static let arithmeticCoding = Reason(
    "arithmetic-coding",
    "the picture is arithmetic-coded, which can be read but not written again"
  )

  static func codingProcess(_ process: String) -> Reason {
    Reason("coding-process", "the picture is coded as \(process), which the decoder does not read")
  }

  static func samplePrecision(_ bits: Int) -> Reason {
    Reason(
      "sample-precision",
      "the picture has \(bits) bits a sample; 8 can be turned, and few programs show others"
    )
  }

  static func sampling(_ factors: String) -> Reason {
    Reason("sampling", "the decoder does not read the sampling factors \(factors)")
  }

  static let heightByDNL = Reason(
    "height-by-dnl",
    "the frame header gives no height (a DNL segment may), which decoders refuse"
  )

  static func pixelLimit(_ width: Int, _ height: Int, _ limit: Int) -> Reason {
    Reason(
      "pixel-limit",
      "the picture claims \(width)×\(height) pixels, more than the limit of \(limit)"
    )
  }

  static func scanLimit(_ scans: Int, _ blocks: Int) -> Reason {
    Reason(
      "scan-limit",
      "the picture has \(scans) scans of \(blocks) blocks, which would take too long to decode"
    )
  }

  static func memoryLimit(_ need: Int, _ limit: Int) -> Reason {
    Reason(
      "memory-limit",
      "the file would take about \(need >> 20) MiB of memory, more than the limit of \(limit >> 20) (--memory)"
    )
  }

  static let incompleteProgression = Reason(
    "incomplete-progression",
    "the scans of the progressive picture are incomplete, so that it cannot be turned as it is"
  )

  static let noUndo = Reason(
    "no-undo",
    "the identical file could not be restored from the result, which --require-undo asks for"
  )

  static let noEndOfImage = Reason(
    "no-end-of-image",
    "the file is damaged: it ends before the picture does (no EOI)"
  )

  static func strayBytes(at offset: Int) -> Reason {
    Reason(
      "stray-bytes",
      "the file is damaged: bytes between two segments belong to neither (at byte \(offset))"
    )
  }
}
