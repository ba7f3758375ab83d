/// Finds set bits of masks by their numbers.
///
/// A loop over the bits before the requested one ends where a processor cannot predict it, which costs more than a
/// table.
@safe
struct SetBits: @unchecked Sendable {
  /// For each byte the places of its set bits, four bits each, the first one lowest; 15 for those that it does not have.
  ///
  /// It is never written again.
  private let places: UnsafePointer<UInt64>

  /// The only table; loops keep a copy, because each access takes a function call.
  static let shared = SetBits()

  private init() {
    let places = UnsafeMutablePointer<UInt64>.allocate(capacity: 256)
    for byte in 0..<256 {
      var (entry, number) = (UInt64.max, UInt64(0))
      for place in 0..<UInt64(8) where byte >> place & 1 == 1 {
        entry ^= (15 ^ place) << (4 * number)
        number += 1
      }
      unsafe (places + byte).initialize(to: entry)
    }
    unsafe self.places = UnsafePointer(places)
  }

  /// Returns the place of the set bit that has `number` others below it; 64 if there is none.
  @inline(__always)
  func place(_ number: Int, of mask: UInt64) -> Int {
    let entry = unsafe places[Int(truncatingIfNeeded: mask & 0xFF)]
    let place = Int(truncatingIfNeeded: entry &>> UInt64(truncatingIfNeeded: 4 &* number) & 15)
    guard number < 16, place < 8 else { return Self.distantPlace(number, of: mask) }
    return place
  }

  /// Returns the place of a bit that is not in the lowest byte.
  @inline(never)
  private static func distantPlace(_ number: Int, of mask: UInt64) -> Int {
    var left = mask
    for _ in 0..<number { left &= left &- 1 }
    return left.trailingZeroBitCount
  }
}
