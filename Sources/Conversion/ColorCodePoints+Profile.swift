internal import FileBytes

/// ICC profiles with three primaries and one curve (ICC.1:2022, 8.3).
extension ColorCodePoints {
  /// The profile of these code points, or nil if they have none.
  var profile: [UInt8]? {
    guard let chromaticities, let curve else { return nil }
    let native = Self.matrix(chromaticities)
    let adaptation = Self.adaptation(from: Self.xyz(chromaticities.white))
    let columns = (0..<3).map { column in
      adaptation.map { row in (0..<3).reduce(0) { $0 + row[$1] * native[$1][column] } }
    }
    let response = Self.parametric(curve)
    let tags: [(String, [UInt8])] = [
      ("desc", Self.text(name)),
      ("cprt", Self.text("No copyright, use freely")),
      ("wtpt", Self.numbers("XYZ ", Self.d50)),
      ("chad", Self.numbers("sf32", adaptation.flatMap { $0 })),
      ("rXYZ", Self.numbers("XYZ ", columns[0])), ("gXYZ", Self.numbers("XYZ ", columns[1])),
      ("bXYZ", Self.numbers("XYZ ", columns[2])),
      ("rTRC", response), ("gTRC", response), ("bTRC", response),
    ]
    return Self.assembled(tags)
  }

  private var name: String {
    switch primaries {
    case 9: "BT.2020"
    case 12: "Display P3"
    default: "H.273 primaries \(primaries)"
    }
  }

  private static let d50 = [0.9642, 1.0, 0.8249]

  /// Returns header, tag table and tags; tags with equal content share it.
  private static func assembled(_ tags: [(String, [UInt8])]) -> [UInt8] {
    var table = UInt32(tags.count).bytes(.big)
    var data: [UInt8] = []
    var places: [[UInt8]: Int] = [:]
    let start = 128 + 4 + 12 * tags.count
    for (signature, content) in tags {
      let place = places[content] ?? start + data.count
      if places[content] == nil {
        places[content] = place
        data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
      }
      table += Array(signature.utf8) + UInt32(place).bytes(.big)
      table += UInt32(content.count).bytes(.big)
    }
    var header = UInt32(start + data.count).bytes(.big) + [0, 0, 0, 0]
    header += [4, 0x40, 0, 0] + Array("mntrRGB XYZ ".utf8)
    // A constant date: 1 January 2020.
    header += [2020, 1, 1, 0, 0, 0].flatMap { UInt16($0).bytes(.big) }
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += d50.flatMap(fixed) + [UInt8](repeating: 0, count: 48)
    return header + table + data
  }

  /// Returns a text of type mluc, in English.
  private static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { $0.bytes(.big) }
    var result: [UInt8] = Array("mluc".utf8)
    result += [0, 0, 0, 0]
    for number: UInt32 in [1, 12] { result += number.bytes(.big) }
    result += Array("enUS".utf8)
    for number: UInt32 in [UInt32(units.count), 28] { result += number.bytes(.big) }
    return result + units
  }

  private static func numbers(_ type: String, _ values: [Double]) -> [UInt8] {
    Array(type.utf8) + [0, 0, 0, 0] + values.flatMap(fixed)
  }

  /// Returns a curve of type para.
  private static func parametric(_ curve: Curve) -> [UInt8] {
    let (function, values): (UInt16, [Double]) =
      switch curve {
      case .gamma(let exponent): (0, [exponent])
      case .sRGB: (3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
      }
    return Array("para".utf8) + [0, 0, 0, 0] + function.bytes(.big) + [0, 0]
      + values.flatMap(fixed)
  }

  /// Returns a number of type s15Fixed16.
  private static func fixed(_ value: Double) -> [UInt8] {
    UInt32(bitPattern: Int32((value * 65_536).rounded())).bytes(.big)
  }

  private static func xyz(_ point: (Double, Double)) -> [Double] {
    [point.0 / point.1, 1, (1 - point.0 - point.1) / point.1]
  }

  /// Returns the matrix from linear red, green and blue to XYZ relative to the primaries' white point, by rows.
  private static func matrix(_ primaries: Primaries) -> [[Double]] {
    let columns = [primaries.red, primaries.green, primaries.blue].map(xyz)
    let rows = (0..<3).map { row in columns.map { $0[row] } }
    let scale = product(inverse(rows), xyz(primaries.white))
    return rows.map { row in zip(row, scale).map { $0 * $1 } }
  }

  /// Returns the Bradford adaptation of a white point to D50 (ICC.1:2022, annex E).
  private static func adaptation(from white: [Double]) -> [[Double]] {
    let cone = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
    let scale = zip(product(cone, d50), product(cone, white)).map { $0 / $1 }
    let scaled = zip(cone, scale).map { row, factor in row.map { $0 * factor } }
    return inverse(cone).map { row in
      (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * scaled[$1][column] } }
    }
  }

  private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  private static func inverse(_ m: [[Double]]) -> [[Double]] {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (r1, r2) = ((row + 1) % 3, (row + 2) % 3)
      let (c1, c2) = ((column + 1) % 3, (column + 2) % 3)
      return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
    }
    let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
    return (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } }
  }
}
