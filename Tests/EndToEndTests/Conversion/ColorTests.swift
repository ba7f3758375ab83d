import Conversion
import Fixtures
import Testing
import Upright

struct ColorTests {
  private func converted(_ primaries: Int, _ transfer: Int) throws -> ConvertedImage {
    var source = Sample.photo()
    source.color = .codePoints(ColorCodePoints(primaries: primaries, transfer: transfer))
    return try Converter().file(of: source)
  }

  @Test(arguments: [(1, 13), (1, 1), (2, 2), (1, 2)])
  func `sRGB needs no profile`(points: (Int, Int)) throws {
    let result = try converted(points.0, points.1)
    #expect(try exiftool(result.bytes, "-b", "-ICC_Profile").output.isEmpty)
    #expect(result.notes.isEmpty)
  }

  @Test(arguments: [
    (12, 13, "Display P3", "0.51512 0.2412 -0.00105", "0.29198 0.69225 0.04189"),
    (9, 14, "BT.2020", "0.67348 0.27904 -0.00194", "0.16566 0.67534 0.02998"),
  ])
  func `Other primaries get a profile`(
    primaries: Int,
    transfer: Int,
    name: String,
    red: String,
    green: String
  ) throws {
    let result = try converted(primaries, transfer)
    let read = try exiftool(
      result.bytes,
      "-s3",
      "-ProfileDescription",
      "-RedMatrixColumn",
      "-GreenMatrixColumn"
    ).text.split(separator: "\n").map(String.init)
    try #require(read.count == 3)
    #expect(read[0] == name)
    for (column, expected) in [(read[1], red), (read[2], green)] {
      let numbers = zip(column.split(separator: " "), expected.split(separator: " "))
      #expect(numbers.allSatisfy { abs((Double($0) ?? 9) - (Double($1) ?? 0)) < 0.0006 })
    }
    #expect(result.notes.contains { $0.text.contains("ICC profile was made from") })
  }

  @Test(arguments: [(9, 16), (9, 18), (1, 16), (12, 3)])
  func `High dynamic range is a reason to skip a file`(points: (Int, Int)) throws {
    var source = Sample.photo()
    source.color = .codePoints(ColorCodePoints(primaries: points.0, transfer: points.1))
    #expect(try Converter().reason(toSkip: source) == "high-dynamic-range")
  }

  @Test func `Unknown primaries are a reason to skip a file`() throws {
    var source = Sample.photo()
    source.color = .codePoints(ColorCodePoints(primaries: 10, transfer: 13))
    #expect(try Converter().reason(toSkip: source) == "color")
  }
}
