internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The format of the field `Date`.
///
/// Source: RFC 9110, section 5.6.7.
enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The second that was formatted last, since 1970.
  private static let latest = Mutex((second: 0, text: ""))

  /// The time now.
  static var now: String {
    let now = Date.now
    let second = Int(now.timeIntervalSince1970)
    return latest.withLock { latest in
      if latest.second != second { latest = (second, text(now, second)) }
      return latest.text
    }
  }

  private static func text(_ date: Date, _ second: Int) -> String {
    // The first of January 1970 was a Thursday.
    let day = days[second / 86_400 % 7]
    let parts = date.ISO8601Format().split { "-TZ".contains($0) }
    let month = months[(Int(parts[1]) ?? 1) - 1]
    return "\(day), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
  }
}
