import Fixtures
import ImageOrientation
import Testing
import Upright

struct CropTests {
  /// Fixtures that are upright or can be transformed.
  static let images = Fixture.all.filter {
    [.lossless, .reencoded].contains($0.expect)
      || $0.expect == .unchanged && ["orientation", "coding", "exif"].contains($0.folder)
  }

  @Test(arguments: images)
  func `A lossless crop has the coefficients that jpegtran gives`(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    var generator = SeededGenerator(seed: 1)
    let size = try Rewriter().rewrite(bytes).plan.image.uprightSize
    let rectangles = PixelRectangle.samples(
      width: size.width,
      height: size.height,
      count: Effort.rounds(2),
      &generator
    )
    let place = try #require(Self.images.firstIndex { $0.path == fixture.path })
    for rectangle in rectangles {
      for snap in Effort.part([Crop.Snap.grow, .shrink], of: place) {
        do {
          guard let file = try CroppedFile(bytes, rectangle, snap) else { continue }
          #expect(try file.complaints() == [])
          switch snap {
          case .grow: #expect(file.crop.result.contains(rectangle))
          default: #expect(rectangle.contains(file.crop.result))
          }
          #expect(file.crop.requested == rectangle)
        } catch let error as UprightError where error.code == .emptyCrop {
          #expect(snap == .shrink)
        }
      }
    }
  }

  @Test func `A crop is planned from the beginning of a file`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let rectangle = PixelRectangle(x: 17, y: 33, width: 20, height: 21)
    let plan = try Rewriter(.crop(rectangle)).plan(bytes)
    #expect(try plan.crop?.result == Rewriter(.crop(rectangle)).plan(bytes).crop?.result)
    let early = try Rewriter(.crop(rectangle)).plan(beginning: Array(bytes[..<40]))
    guard case .needs(let count) = early else {
      Issue.record("planned from 40 bytes")
      return
    }
    #expect(count > 40)
  }

  @Test func `A crop grows by less than an MCU, to the left and the top only`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let requested = PixelRectangle(x: 17, y: 33, width: 20, height: 21)
    let file = try #require(try CroppedFile(bytes, requested))
    #expect(file.crop.result == PixelRectangle(x: 16, y: 32, width: 21, height: 22))
    #expect(file.rewrite.plan.action == .transform(.rotate90, .lossless))
    #expect(file.rewrite.verification == .coefficients)
    #expect(file.rewrite.undo == nil)
    let smaller = try #require(try CroppedFile(bytes, requested, .shrink))
    #expect(smaller.crop.result == PixelRectangle(x: 32, y: 48, width: 5, height: 6))
  }

  @Test(arguments: ["orientation/aligned-6.jpg", "orientation/unaligned-3.jpg"])
  func `A crop to the whole image is the normalization`(_ path: String) throws {
    let bytes = try Fixture.bytes(path)
    let normalized = try Rewriter().rewrite(bytes)
    let all = PixelRectangle(normalized.plan.image.uprightSize)
    guard case .rewritten(let expected) = normalized,
      case .rewritten(let found) = try Rewriter(.crop(all)).rewrite(bytes)
    else {
      Issue.record("\(path) is not rewritten")
      return
    }
    #expect(found.bytes == expected.bytes)
    #expect(found.undo != nil)
  }

  @Test func `A crop of an upright image to the whole image changes nothing`() throws {
    let bytes = try Fixture.bytes("orientation/unaligned-1.jpg")
    let all = PixelRectangle(x: 0, y: 0, width: 90, height: 61)
    let outcome = try Rewriter(.crop(all)).rewrite(bytes)
    guard case .unchanged = outcome.plan.action else {
      Issue.record("\(outcome.plan.action)")
      return
    }
  }

  @Test(arguments: ["65x1+0+0", "1x1+64+0", "1x1+0+96", "64x97+0+0", "99999999x99999999+0+0"])
  func `A rectangle outside of the image is an error`(_ text: String) throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let rectangle = try #require(PixelRectangle(text))
    let error = #expect(throws: UprightError.self) { try Rewriter(.crop(rectangle)).rewrite(bytes) }
    #expect(error?.code == .outsideImage)
    #expect(error?.cause == .request)
    #expect(error?.message.contains("64×96") == true)
  }

  @Test(arguments: [
    "", "1x1", "1x1+1", "0x1+1+1", "1x0+0+0", "1x1+1+1+1", "1x1+-1+0", "-1x1+0+0", "1x1+0+0 ",
    "axb+0+0", "1x+1+1", "1x1++1", "x+1+", "1x1+1+", "1X1+0+0", "1000000000x1+0+0", "1x1-1-1",
    "99999999999999999999x1+0+0",
  ])
  func `Text that is no rectangle is refused`(_ text: String) {
    #expect(PixelRectangle(text) == nil)
  }

  @Test(arguments: [Options.UnalignedPolicy.redraw, .trim, .skip, .fail])
  func `A partial MCU at the edge is treated as in a transform`(
    _ policy: Options.UnalignedPolicy
  ) throws {
    // Stored as 90×61 and upside down: the stored right and bottom edges come to the left and the top.
    let bytes = try Fixture.bytes("orientation/unaligned-3.jpg")
    var options = Options()
    options.unaligned = policy
    let corner = PixelRectangle(x: 0, y: 0, width: 50, height: 40)
    func crop() throws -> CroppedFile? { try CroppedFile(bytes, corner, options: options) }
    switch policy {
    case .redraw:
      let file = try #require(try crop())
      #expect(file.crop.result == corner)
      #expect(file.rewrite.plan.action == .transform(.rotate180, .reencoded(kept: [], of: 3)))
    case .trim:
      let file = try #require(try crop())
      #expect(try file.complaints() == [])
      #expect(file.crop.result == PixelRectangle(x: 10, y: 13, width: 40, height: 27))
      #expect(
        file.rewrite.plan.action
          == .transform(.rotate180, .trimmed(TrimmedEdges(columns: 10, rows: 13)))
      )
    case .skip: #expect(try crop() == nil)
    case .fail: #expect(throws: UprightError.self) { try crop() }
    }
    // A rectangle that starts at an MCU of the stored raster is lossless, whatever the policy.
    let inside = PixelRectangle(x: 30, y: 20, width: 50, height: 40)
    let file = try #require(try CroppedFile(bytes, inside, options: options))
    #expect(file.crop.result == PixelRectangle(x: 26, y: 13, width: 54, height: 47))
    #expect(try file.complaints() == [])
  }
}

extension Fixture {
  /// The folder of the file.
  fileprivate var folder: String { String(path.prefix { $0 != "/" }) }
}

extension CropTests {
  @Test(arguments: 1...8)
  func `A rectangle of the transformed image is where its corners are moved`(_ tag: Int) throws {
    let transform = try #require(Orientation(rawValue: tag)).transform
    var generator = SeededGenerator(seed: UInt64(tag))
    for rectangle in PixelRectangle.samples(width: 31, height: 17, count: 20, &generator) {
      let transformed = rectangle.transformed(by: transform, width: 31, height: 17)
      for row in 0..<17 {
        for column in 0..<31 {
          let place = transform.destination(column: column, row: row, columns: 31, rows: 17)
          #expect(
            rectangle.contains(PixelRectangle(x: column, y: row, width: 1, height: 1))
              == transformed.contains(
                PixelRectangle(x: place.column, y: place.row, width: 1, height: 1)
              )
          )
        }
      }
      let size = transform.size(width: 31, height: 17)
      let back = transformed.transformed(
        by: transform.inverse,
        width: size.width,
        height: size.height
      )
      #expect(back == rectangle)
      #expect(PixelRectangle("\(rectangle)") == rectangle)
    }
  }
}
