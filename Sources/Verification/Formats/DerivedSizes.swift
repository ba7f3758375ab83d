internal import ISOBMFF

/// The sizes of tone-mapped images (`tmap`), each beside that of the image that it is derived from.
///
/// The standard asks for the size of that image as it is displayed (ISO/IEC 23008-12, 6.6.2.4), libavif for the stored one.
struct DerivedSizes {
  struct Size: Equatable {
    var width: Int
    var height: Int

    var swapped: Size { Size(width: height, height: width) }
  }

  /// The size of a tone-mapped image, and of its base before rotation and mirror.
  struct Pair: Equatable {
    var own: Size
    var stored: Size
    /// Whether the base is displayed with width and height swapped.
    var isAcross: Bool
    var isAV1: Bool

    private var displayed: Size { isAcross ? stored.swapped : stored }

    /// Returns the size that it has in a result, in which the base is displayed so.
    func expected(isAcross: Bool) -> Size {
      let after = isAcross ? stored.swapped : stored
      return switch (own == stored, own == displayed) {
      case (true, true): isAV1 ? stored : after
      case (false, true): after
      default: own
      }
    }
  }

  private(set) var pairs: [Int: Pair] = [:]

  init(_ table: ItemTable, _ bytes: Span<UInt8>) {
    for reference in table.references
    where reference.type == "dimg" && table.items[reference.source]?.type == "tmap" {
      guard let base = reference.targets.first,
        let own = Self.size(of: reference.source, table, bytes),
        let stored = Self.size(of: base, table, bytes)
      else { continue }
      let angle = table.properties(of: base).first { $0.type == "irot" && !$0.content.isEmpty }
      let tile = table.references.first { $0.type == "dimg" && $0.source == base }?.targets.first
      pairs[reference.source] = Pair(
        own: own,
        stored: stored,
        isAcross: angle.map { bytes[$0.content.lowerBound] & 1 == 1 } ?? false,
        isAV1: [base, tile ?? base].contains { table.items[$0]?.type == "av01" }
      )
    }
  }

  /// Returns the size that `ispe` gives, or `clap`, before rotation and mirror; nil if there is none.
  private static func size(of item: Int, _ table: ItemTable, _ bytes: Span<UInt8>) -> Size? {
    var size: Size?
    for property in table.properties(of: item) {
      var fields = IntegerReader(property.content)
      guard property.type == "ispe" || property.type == "clap" else { continue }
      let count = property.type == "ispe" ? 3 : 4
      let numbers = (0..<count).compactMap { _ in try? fields.integer(4, bytes) }
      guard numbers.count == count else { continue }
      if property.type == "ispe" {
        size = Size(width: numbers[1], height: numbers[2])
      } else if numbers[1] > 0, numbers[3] > 0 {
        func rounded(_ place: Int) -> Int {
          (2 * numbers[place] + numbers[place + 1]) / (2 * numbers[place + 1])
        }
        size = Size(width: rounded(0), height: rounded(2))
      }
    }
    return size
  }
}
