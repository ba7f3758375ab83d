import Fixtures
import Foundation
import ImageOrientation
import JPEGCore
import Testing
import Upright

/// What became of crops of the files of a corpus.
private struct CropCensus: Sendable {
  var lossless = 0
  var reencoded = 0
  var skipped: [String: Int] = [:]
  var failed: [String: Int] = [:]
  var complaints: [String] = []

  mutating func add(_ other: CropCensus) {
    lossless += other.lossless
    reencoded += other.reencoded
    skipped.merge(other.skipped, uniquingKeysWith: +)
    failed.merge(other.failed, uniquingKeysWith: +)
    complaints += other.complaints
  }
}

@Suite(.requiresRealPhotos)
struct CropCorpusTests {
  private static let maxPixels = 3_000_000

  @Test func `Real photos are cropped as by jpegtran, and exactly`() async throws {
    let census = await withTaskGroup(of: CropCensus.self) { group in
      for (number, file) in RealPhotos.jpegs(run: 1).enumerated() {
        group.addTask { examine(file, seed: UInt64(number)) }
      }
      return await group.reduce(into: CropCensus()) { $0.add($1) }
    }
    print(
      "corpus: \(census.lossless) lossless crops, \(census.reencoded) with a redraw,",
      "skipped \(census.skipped), failed \(census.failed)"
    )
    #expect(census.lossless > 0 && census.reencoded > 0)
    #expect(census.complaints == [])
  }

  private func examine(_ file: URL, seed: UInt64) -> CropCensus {
    var census = CropCensus()
    guard let data = try? Data(contentsOf: file), let image = try? ImageFile([UInt8](data)),
      image.frame.width * image.frame.height <= Self.maxPixels
    else { return census }
    var generator = SeededGenerator(seed: seed)
    do {
      let size = try Rewriter().rewrite(image.bytes).plan.image.uprightSize
      let rectangles = PixelRectangle.samples(
        width: size.width,
        height: size.height,
        count: 1,
        &generator
      )
      for rectangle in rectangles {
        for snap in [Crop.Snap.grow, .exact] {
          try examine(image.bytes, rectangle, snap, file.lastPathComponent, &census)
        }
      }
    } catch let error as UprightError {
      census.failed[error.code.rawValue, default: 0] += 1
    } catch {
      census.complaints.append("\(file.lastPathComponent): \(error)")
    }
    return census
  }

  private func examine(
    _ bytes: [UInt8],
    _ rectangle: PixelRectangle,
    _ snap: Crop.Snap,
    _ name: String,
    _ census: inout CropCensus
  ) throws {
    guard let file = try CroppedFile(bytes, rectangle, snap) else {
      let plan = try Rewriter(.crop(rectangle, snapping: snap)).rewrite(bytes).plan
      if case .skip(let reason) = plan.action {
        census.skipped[reason.code.rawValue, default: 0] += 1
      }
      return
    }
    if case .transform(_, .lossless) = file.rewrite.plan.action {
      census.lossless += 1
    } else {
      census.reencoded += 1
    }
    census.complaints += try file.complaints().map { "\(name): \($0)" }
    if snap == .grow {
      if !file.crop.result.contains(rectangle) {
        census.complaints.append("\(name): \(rectangle) did not grow to \(file.crop.result)")
      }
    } else if file.crop.result != rectangle {
      census.complaints.append("\(name): \(rectangle) became \(file.crop.result)")
    }
    if let psnr = file.rewrite.redraw?.psnr,
      psnr < (file.result.frame.repeatsSamples ? 26 : 30)
    {
      census.complaints.append("\(name): \(rectangle) is re-encoded with \(psnr) dB")
    }
  }
}
