#if !hasFeature(Embedded)
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Encodable {
  /// The value as JSON on one line, without a line end: keys sorted, slashes not escaped.
  package var jsonLine: String { String(decoding: jsonBytes, as: UTF8.self) }

  /// The bytes of ``jsonLine``.
  ///
  /// - Precondition: The value consists of strings, integers and finite numbers, which can always be encoded.
  package var jsonBytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("\(Self.self) has a value that JSON has no form for")
    }
    return [UInt8](data)
  }
}
#endif
