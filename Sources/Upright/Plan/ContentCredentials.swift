internal import FileBytes
internal import ImageFormats
internal import JPEGCore

/// What becomes of C2PA content credentials, which any change of a file makes invalid.
extension Options.CredentialPolicy {
  func refusal(_ header: Header, _ bytes: Span<UInt8>) -> Reason? {
    self == .skip && !header.credentialSegments(bytes).isEmpty ? .contentCredentials : nil
  }

  /// Returns the refusal of a file of a format whose credentials are not removed.
  func refusal(_ image: FormatHeader) -> Reason? {
    guard image.hasCredentials else { return nil }
    return switch self {
    case .skip: .contentCredentials
    case .keep: nil
    case .strip:
      Reason(
        .contentCredentials,
        "the content credentials of \(image.format.name) files are not removed"
      )
    }
  }

  /// Returns the removal of the credentials if that is requested.
  func edits(_ header: Header, _ bytes: Span<UInt8>) -> [Edit] {
    guard self == .strip else { return [] }
    return header.credentialSegments(bytes).map { .removal($0.range, "content-credentials") }
  }

  func notes(_ header: Header, _ bytes: Span<UInt8>) -> [Note] {
    guard self == .keep, !header.credentialSegments(bytes).isEmpty else { return [] }
    return [
      Note(.credentialsInvalid, "the content credentials are kept but no longer match the file")
    ]
  }
}
