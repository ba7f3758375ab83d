/// Numbers of bytes as text, in powers of 1000.
package enum ByteCount {
  /// Returns a number of bytes with up to three digits, as in `9.5 MB`.
  package static func text(_ bytes: Int) -> String {
    var value = Double(bytes)
    for unit in ["bytes", "kB", "MB", "GB", "TB"] {
      if value < 999.5 || unit == "TB" {
        let digits = unit == "bytes" || value >= 99.95 ? 1.0 : 10.0
        let rounded = (value * digits).rounded() / digits
        return digits == 1 ? "\(Int(rounded)) \(unit)" : "\(rounded) \(unit)"
      }
      value /= 1000
    }
    return ""
  }

  /// Returns two numbers of bytes in the unit of the second, as in `6.4 → 9.5 MB`.
  package static func text(_ before: Int, _ after: Int) -> String {
    let (first, second) = (text(before), text(after))
    let units = (first.split(separator: " ").last, second.split(separator: " ").last)
    return units.0 == units.1
      ? "\(first.prefix { $0 != " " }) → \(second)" : "\(first) → \(second)"
  }
}
