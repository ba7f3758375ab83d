import Fixtures
import Foundation
import ImageOrientation
import Testing
import Upright

/// A rectangle as fractions of an image, from its top left corner.
private struct Box {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// Returns whether the edges are within a pixel of those of another box in an image of this size.
  func isNear(_ other: Box, _ across: Int, _ down: Int) -> Bool {
    let horizontal = [x - other.x, x + width - other.x - other.width]
    let vertical = [y - other.y, y + height - other.y - other.height]
    return horizontal.allSatisfy { abs($0) * Double(across) <= 1 }
      && vertical.allSatisfy { abs($0) * Double(down) <= 1 }
  }
}

/// What a file says of the box that is drawn in it: each kind of regions, as a plain search of the text finds them.
private struct DrawnBox {
  /// The box as djpeg decodes the image.
  var drawn: Box
  var width: Int
  var height: Int
  /// The regions by kind.
  var regions: [String: Box] = [:]
  /// AppliedToDimensions of the Metadata Working Group and of ACDSee.
  var applied: [String: [Int]] = [:]

  init(_ file: [UInt8]) throws {
    let pixels = try Pixels(file)
    (width, height) = (pixels.width, pixels.height)
    var (columns, rows): ([Int], [Int]) = ([], [])
    for y in 0..<height {
      for x in 0..<width {
        let place = (y * width + x) * pixels.depth
        let (red, green) = (pixels.samples[place], pixels.samples[place + 1])
        // The box is (200, 16, 16); the scene has a letter of a similar red.
        if (194...206).contains(red), green < 22, pixels.samples[place + 2] < 22 {
          columns.append(x)
          rows.append(y)
        }
      }
    }
    let (left, right) = (try #require(columns.min()), try #require(columns.max()))
    let (top, bottom) = (try #require(rows.min()), try #require(rows.max()))
    let (across, down) = (Double(width), Double(height))
    drawn = Box(
      x: Double(left) / across,
      y: Double(top) / down,
      width: Double(right + 1 - left) / across,
      height: Double(bottom + 1 - top) / down
    )
    let text = String(decoding: file, as: UTF8.self)
    func numbers(_ name: String) -> [Double] {
      text.ranges(of: "\(name)=\"").compactMap { found in
        Double(text[found.upperBound...].prefix { $0 != "\"" })
      }
    }
    for (kind, prefix) in [("mwg", " stArea"), ("acdsee", " acdsee-stArea")] {
      let values = ["x", "y", "w", "h"].compactMap { numbers("\(prefix):\($0)").first }
      guard values.count == 4 else { continue }
      regions[kind] = Box(
        x: values[0] - values[2] / 2,
        y: values[1] - values[3] / 2,
        width: values[2],
        height: values[3]
      )
    }
    for (kind, prefix) in [("mwg", " stDim"), ("acdsee", " acdsee-stDim")] {
      let values = ["w", "h"].compactMap { numbers("\(prefix):\($0)").first }
      if values.count == 2 { applied[kind] = values.map { Int($0) } }
    }
    if let found = text.firstRange(of: "MPReg:Rectangle=\"") {
      let parts = text[found.upperBound...].prefix { $0 != "\"" }.split(separator: ",")
      let values = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
      if values.count == 4 {
        regions["microsoft"] = Box(
          x: values[0],
          y: values[1],
          width: values[2],
          height: values[3]
        )
      }
    }
    let (x, y) = (numbers("Iptc4xmpExt:rbX"), numbers("Iptc4xmpExt:rbY"))
    let scale = text.contains("rbUnit=\"pixel\"") ? (across, down) : (1, 1)
    if let width = numbers("Iptc4xmpExt:rbW").first, let height = numbers("Iptc4xmpExt:rbH").first {
      regions["iptc"] = Box(
        x: x[0] / scale.0,
        y: y[0] / scale.1,
        width: width / scale.0,
        height: height / scale.1
      )
    } else if let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() {
      regions["iptc"] = Box(x: left, y: top, width: right - left, height: bottom - top)
    }
  }

  /// The kinds of regions that do not surround the box.
  var wrong: [String] {
    regions.filter { !$0.value.isNear(drawn, width, height) }.map(\.key).sorted()
  }
}

private let boxes = Fixture.all.map(\.path).filter { $0.hasPrefix("regions/box-") }

struct RegionBoxTests {
  @Test(arguments: boxes)
  func `Regions surround the same box of the displayed image before and after`(path: String) throws
  {
    let file = try TransformedFile(path)
    #expect(file.changesOnlyWhatItLists)
    let result = try DrawnBox(file.bytes)
    #expect(try DrawnBox(file.original).regions.count == result.regions.count)
    #expect(!result.regions.isEmpty)
    #expect(result.wrong == [])
    for (_, size) in result.applied { #expect(size == [64, 96]) }
    // One decision for each kind.
    let decisions = file.rewrite.plan.regions
    #expect(Set(decisions.map(\.kind.rawValue)) == Set(result.regions.keys))
    #expect(try Rewriter().plan(file.original).regions == decisions)
    // What a second run would do: nothing.
    #expect(try Rewriter().plan(file.bytes).action.rewrites == false)
  }

  @Test(arguments: [
    ("mwg-stored", "transformed stored applied-to-dimensions"),
    ("mwg-displayed", "fitting displayed applied-to-dimensions"),
    ("mwg-alone", "transformed stored specification"),
    ("acdsee-stored", "transformed stored applied-to-dimensions"),
    ("acdsee-displayed", "fitting displayed applied-to-dimensions"),
    ("mwg-stored-microsoft-stored", "transformed stored agreement"),
    ("mwg-stored-microsoft-displayed", "fitting displayed agreement"),
    ("mwg-displayed-microsoft-stored", "transformed stored agreement"),
    ("mwg-displayed-microsoft-displayed", "fitting displayed agreement"),
    ("mwg-stored-iptc-displayed", "fitting displayed agreement"),
    ("mwg-stored-polygon-stored", "transformed stored agreement"),
    ("microsoft-alone", "kept - none"), ("acdsee-alone", "kept - none"),
    ("iptc-alone", "kept - none"),
  ])
  func `Each decision gives its evidence`(name: String, expected: String) throws {
    let plan = try Rewriter().plan(try Fixture.bytes("regions/box-\(name).jpg"))
    let decision = try #require(plan.regions.last)
    let frame = decision.frame?.rawValue ?? "-"
    #expect("\(decision.disposition.rawValue) \(frame) \(decision.evidence.rawValue)" == expected)
  }

  @Test(arguments: boxes)
  func `The policy follow takes every region for one of the stored image, and keep leaves all`(
    path: String
  ) throws {
    let followed = try TransformedFile(path) { $0.regions = .follow }
    #expect(followed.rewrite.plan.regions.allSatisfy { $0.disposition == .transformed })
    let kept = try TransformedFile(path) { $0.regions = .keep }
    #expect(!kept.fields.contains { $0.hasPrefix("xmp.region") })
    let (before, after) = (try DrawnBox(kept.original), try DrawnBox(kept.bytes))
    #expect(before.regions.keys == after.regions.keys)
    let stale = Set(after.wrong)
    let listed = kept.rewrite.plan.regions.filter { $0.disposition == .kept }.map(\.kind.rawValue)
    #expect(stale.isSubset(of: listed))
  }

  @Test(arguments: ["mwg-stored-microsoft-displayed", "mwg-displayed", "acdsee-stored"])
  func `A further rotation takes regions of either frame along`(name: String) throws {
    let original = try Fixture.bytes("regions/box-\(name).jpg")
    let rewrite = try Rewriter(.normalize(then: .rotate90)).rewrite(original).rewritten()
    #expect(try DrawnBox(rewrite.bytes).wrong == [])
  }
}
