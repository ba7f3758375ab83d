internal import FileBytes
package import ImageOrientation

/// The orientation that a file gives.
package enum StoredOrientation: Hashable, Sendable {
  case absent
  case value(Orientation)
  /// 0, which cameras and editors write if they do not know the orientation.
  case unknown
  /// A value that is not 0 to 8.
  case reserved(Int64)
  /// Contradicting values of several tags.
  case unclear([Int64])

  /// The orientation that viewers use, or nil if it is absent or invalid.
  package var usable: Orientation? {
    switch self {
    case .value(let orientation): orientation
    case .unknown: .up
    case .absent, .reserved, .unclear: nil
    }
  }

  /// The orientation if it has a valid value, or nil.
  package var stated: Orientation? {
    if case .value(let orientation) = self { orientation } else { nil }
  }

  init(_ values: [Int64]) {
    guard let value = values.first else {
      self = .absent
      return
    }
    let isUnknown = values.contains(0)
    let meant = isUnknown ? 1 : value
    if values.contains(where: { $0 != meant && $0 != 0 }) {
      self = .unclear(values)
    } else if isUnknown {
      self = .unknown
    } else {
      self = Orientation(rawValue: value.length).map { .value($0) } ?? .reserved(value)
    }
  }
}
