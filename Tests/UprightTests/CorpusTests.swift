import Fixtures
import Foundation
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform
import Upright

/// What became of the files of a corpus.
private struct Census: Sendable {
  var files = 0
  var tooLarge = 0
  var patched = 0
  var transformed = 0
  var reencoded = 0
  var trimmed = 0
  var unchanged = 0
  var skipped: [String: Int] = [:]
  var failed: [String: Int] = [:]
  var complaints: [String] = []

  static func + (a: Census, b: Census) -> Census {
    var sum = a
    sum.files += b.files
    sum.tooLarge += b.tooLarge
    sum.patched += b.patched
    sum.transformed += b.transformed
    sum.reencoded += b.reencoded
    sum.trimmed += b.trimmed
    sum.unchanged += b.unchanged
    sum.skipped.merge(b.skipped, uniquingKeysWith: +)
    sum.failed.merge(b.failed, uniquingKeysWith: +)
    sum.complaints += b.complaints
    return sum
  }
}

@Suite(.requiresRealPhotos)
struct CorpusTests {
  private static let maxPixels = 3_000_000

  @Test func `Real photos are transformed losslessly, with each tag`() async throws {
    let census = await withTaskGroup(of: Census.self) { group in
      for file in RealPhotos.jpegs(run: 0) { group.addTask { examine(file) } }
      return await group.reduce(Census(), +)
    }
    print(
      "corpus: \(census.files) files and \(census.patched) with another Orientation:",
      "\(census.transformed) transformed, \(census.reencoded) re-encoded, \(census.trimmed) trimmed, \(census.unchanged) unchanged, skipped \(census.skipped),",
      "failed \(census.failed); \(census.tooLarge) files skipped as too large"
    )
    #expect(census.transformed > 0 && census.reencoded > 0 && census.trimmed > 0)
    #expect(census.complaints == [])
  }

  @Test func `Displayed photos are transformed as by jpegtran`()
    async throws
  {
    let transforms = OrientationTransform.allCases.filter { $0 != .none }
    let census = await withTaskGroup(of: Census.self) { group in
      for (number, file) in RealPhotos.jpegs(run: 1).enumerated() {
        group.addTask { operate(file, then: transforms[number % transforms.count]) }
      }
      return await group.reduce(Census(), +)
    }
    print("corpus: \(census.transformed) of \(census.files) files transformed from what is seen")
    #expect(census.transformed > 0)
    #expect(census.complaints == [])
  }

  @Test func `Real photos are decoded as by TurboJPEG`() async throws {
    let census = await withTaskGroup(of: Census.self) { group in
      for file in RealPhotos.jpegs(run: 2) { group.addTask { compareDecoders(file) } }
      return await group.reduce(Census(), +)
    }
    print(
      "corpus: \(census.transformed) of \(census.files) files read by both decoders,",
      "\(census.unchanged) by TurboJPEG alone, \(census.skipped["sampling", default: 0]) by Upright's alone"
    )
    #expect(census.transformed > 0)
    #expect(census.complaints == [])
  }

  /// Reads an image with the core's own decoder, and with TurboJPEG, which must agree where both read it.
  ///
  /// What the first one reads, TurboJPEG reads without a warning, unless it has no name for the sampling; then
  /// jpegtran reads it.
  private func compareDecoders(_ file: URL) -> Census {
    var census = Census()
    guard let data = try? Data(contentsOf: file), let photo = try? ImageFile([UInt8](data)),
      photo.frame.width * photo.frame.height <= Self.maxPixels,
      (try? photo.parameters()) != nil
    else { return census }
    census.files = 1
    let reference = Result { () throws(TransformError) in
      try LosslessTransform.stream(photo.stream, transformedBy: .none)
    }
    guard let (image, info) = try? photo.decode() else {
      if case .success = reference { census.unchanged = 1 }
      return census
    }
    let own = CoefficientImage(image)
    switch reference {
    case .success(let stream):
      if let expected = try? ImageFile(stream).decoded(), own.isEqual(to: expected) {
        census.transformed = 1
      } else {
        census.complaints.append("\(file.path): TurboJPEG reads something else")
      }
    case .failure(.unknownSampling):
      census.skipped["sampling"] = 1
      if (try? photo.coefficients())?.isEqual(to: own) != true {
        census.complaints.append("\(file.path): jpegtran reads something else")
      }
    case .failure(let error):
      if info.strayByteCount == 0 {
        census.complaints.append("\(file.path): TurboJPEG reads nothing: \(error)")
      }
    }
    return census
  }

  private func operate(_ file: URL, then transform: OrientationTransform) -> Census {
    var census = Census()
    guard let data = try? Data(contentsOf: file), case let bytes = [UInt8](data),
      let frame = try? ImageFile(bytes).frame, frame.width * frame.height <= Self.maxPixels
    else { return census }
    census.files += 1
    do {
      census.complaints += try complaints(bytes, then: transform)
        .map { "\(file.lastPathComponent), \(transform): \($0)" }
      census.transformed += 1
      guard case .rewritten(let tag) = try Rewriter(.tag(.transform(transform))).rewrite(bytes)
      else {
        return census
      }
      // The identifier of Exif that is there twice has six bytes.
      let isLarge = { (change: Change) in
        change.range.count > 2 && !change.isXMP
          && change.field.rawValue != "exif.repeated-identifier"
      }
      if tag.undo == nil || tag.changes.contains(where: isLarge) {
        census.complaints.append("\(file.lastPathComponent): more than the tag changes")
      }
    } catch let error as UprightError {
      census.failed[error.code.rawValue, default: 0] += 1
    } catch {
      census.complaints.append("\(file.lastPathComponent): \(error)")
    }
    return census
  }

  private func examine(_ file: URL) -> Census {
    var census = Census()
    guard let data = try? Data(contentsOf: file) else { return census }
    let bytes = [UInt8](data)
    let photo = try? ImageFile(bytes)
    if let frame = photo?.frame, frame.width * frame.height > Self.maxPixels {
      census.tooLarge += 1
      return census
    }
    census.files += 1
    check(bytes, file.lastPathComponent, &census)
    guard let photo, case .unchanged(let reason)? = try? Rewriter().rewrite(bytes).plan.action,
      reason.code == .upright
    else { return census }
    for value in 2...8 {
      guard let other = photo.withOrientation(value) else { continue }
      census.patched += 1
      check(other, "\(file.lastPathComponent) with Orientation \(value)", &census)
    }
    return census
  }

  private func check(_ bytes: [UInt8], _ name: String, _ census: inout Census) {
    do {
      let outcome = try Rewriter().rewrite(bytes)
      switch outcome.plan.action {
      case .unchanged: census.unchanged += 1
      case .skip(let reason):
        census.skipped[reason.code.rawValue, default: 0] += 1
      case .resetTag, .changeTag:
        census.complaints.append("\(name): a tag is reset without being asked for")
      case .transform(_, let edges):
        if edges == .lossless {
          census.transformed += 1
        } else {
          census.reencoded += 1
          if try isPerfect(bytes, outcome.plan) {
            census.complaints.append("\(name): jpegtran -perfect transforms it")
          }
          try checkTrimmed(bytes, name, &census)
        }
        let complaints = try RewriteCheck.complaints(try outcome.rewritten(), of: bytes)
        census.complaints += complaints.map { "\(name): \($0)" }
      }
    } catch let error as UprightError {
      census.failed[error.code.rawValue, default: 0] += 1
      // Of this file of a fuzzer, djpeg reads only the segments before a marker that is reserved.
      let isRead = !name.hasPrefix("3cc4a7fc6481ea3681138da4643f3d16")
      if isRead, (try? Tool.djpeg(bytes)) != nil {
        census.complaints.append("\(name): djpeg decodes it, we say \(error)")
      }
    } catch {
      census.complaints.append("\(name): \(error)")
    }
  }

  private func checkTrimmed(_ bytes: [UInt8], _ name: String, _ census: inout Census) throws {
    var options = Options()
    options.unaligned = .trim
    let outcome = try Rewriter(options: options).rewrite(bytes)
    guard case .rewritten(let rewrite) = outcome else { return }
    census.trimmed += 1
    let complaints = try RewriteCheck.complaints(rewrite, of: bytes)
    census.complaints += complaints.map { "\(name), trimmed: \($0)" }
  }

  private func isPerfect(_ bytes: [UInt8], _ plan: Plan) throws -> Bool {
    guard let transform = plan.image.orientation?.transform else { return false }
    let options = ["-perfect"] + Tool.jpegtranOptions(transform.rawValue)
    return (try? Tool.jpegtran(bytes, options)) != nil
  }
}

extension Change {
  fileprivate var isXMP: Bool { field.rawValue.hasPrefix("xmp.") }
}
