package import FileSystem

/// A modification time as a record holds it: seconds since 1970 with nine decimals.
///
/// `stat -c %.9Y` prints the same, and `touch -d @` reads it.
package struct RecordedTime {
  package let time: Timestamp

  package init(_ time: Timestamp) { self.time = time }

  /// Reads the text; nil if it is not such a time.
  package init?(_ text: String) {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 9,
      parts.allSatisfy({ $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }),
      let seconds = Int64(parts[0]), let nanoseconds = Int64(parts[1])
    else { return nil }
    guard isNegative else {
      time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
      return
    }
    time =
      nanoseconds == 0
      ? Timestamp(seconds: -seconds, nanoseconds: 0)
      : Timestamp(seconds: -seconds - 1, nanoseconds: 1_000_000_000 - nanoseconds)
  }

  /// The text.
  package var text: String {
    var (seconds, nanoseconds) = (time.seconds, time.nanoseconds)
    let isNegative = seconds < 0
    if isNegative, nanoseconds > 0 {
      (seconds, nanoseconds) = (seconds + 1, 1_000_000_000 - nanoseconds)
    }
    let decimals = String(nanoseconds)
    let zeros = String(repeating: "0", count: max(0, 9 - decimals.utf8.count))
    return "\(isNegative ? "-" : "")\(seconds.magnitude).\(zeros)\(decimals)"
  }
}
