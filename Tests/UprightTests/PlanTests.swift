import Fixtures
import Foundation
import ImageFormats
import Testing
import Upright

/// What a plan says.
private struct Content: Hashable {
  var image: ImageInfo
  var action: Action
  var crop: Crop?
  var changes: [Change]
  var embeddedImages: [EmbeddedImage]
  var registeredData: [RegisteredData]
  var regions: [RegionDecision]
  var notes: [Note]
  var estimatedMemory: Int
  var contradictions: [TagEvidence]

  init(_ plan: Plan) {
    image = plan.image
    action = plan.action
    crop = plan.crop
    changes = plan.changes
    embeddedImages = plan.embeddedImages
    registeredData = plan.registeredData
    regions = plan.regions
    notes = plan.notes
    estimatedMemory = plan.estimatedMemory
    contradictions = plan.contradictions
  }
}

/// The differences between the plans that are made from a header and from a whole file, and between their outcomes.
private func differences(_ file: [UInt8], _ options: Options) -> [String] {
  let rewriter = Rewriter(options: options)
  func fromHeader() throws -> PlannedPhoto {
    try rewriter.planned(size: file.count, taking: [.jpeg]) { offset, count in
      Array(file.dropFirst(offset).prefix(count))
    }
  }
  func content(_ outcome: Outcome) -> [AnyHashable] {
    guard case .rewritten(let rewrite) = outcome else { return [Content(outcome.plan)] }
    // Data, because elements of arrays are compared one by one where nothing is optimized.
    return [
      Content(rewrite.plan), Data(rewrite.bytes), rewrite.changes,
      rewrite.undo.map { Data($0.serialized) },
    ]
  }
  let planned = Result(catching: fromHeader)
  var differences: [String] = []
  func compare<Value>(
    _ name: String,
    _ one: () throws -> Value,
    _ other: () throws -> Value,
    _ content: (Value) -> [AnyHashable]
  ) {
    do {
      let expected = content(try one())
      if let found = try? other() {
        if content(found) != expected { differences.append(name) }
      } else {
        differences.append("\(name): an error")
      }
    } catch {
      do {
        _ = try other()
        differences.append("\(name): no error, but \(error)")
      } catch let other { if "\(other)" != "\(error)" { differences.append("\(name): \(other)") } }
    }
  }
  compare("plan of a file in memory", { try rewriter.plan(file) }, { try planned.get().plan }) {
    [Content($0)]
  }
  compare(
    "outcome",
    { try rewriter.rewrite(file) },
    { try rewriter.rewrite(file, as: planned.get()) },
    content
  )
  return differences
}

private let policies: [Options] = {
  var trusting = Options()
  (trusting.onConflict, trusting.contentCredentials) = (.trustTag, .keep)
  (trusting.registeredData, trusting.resolution) = (.keep, .follow)
  var resetting = Options()
  (resetting.onConflict, resetting.contentCredentials) = (.resetTag, .strip)
  resetting.unaligned = .trim
  return [Options(), trusting, resetting]
}()

struct PlanTests {
  @Test(arguments: Fixture.all)
  func `A plan and its outcome are the same from the header as from the whole file`(
    fixture: Fixture
  ) throws {
    let file = try fixture.bytes()
    for options in policies { #expect(differences(file, options) == []) }
  }

  @Test(.requiresRealPhotos)
  func `Real photos have the same plan and outcome from the header as from the whole file`()
    async throws
  {
    let found = await withTaskGroup(of: [String].self) { group in
      for file in RealPhotos.jpegs(run: 2) {
        group.addTask {
          guard let data = try? Data(contentsOf: file) else { return ["\(file.path)"] }
          return policies.flatMap { options in
            var options = options
            options.maxPixels = 3_000_000
            return differences([UInt8](data), options).map { "\(file.lastPathComponent): \($0)" }
          }
        }
      }
      return await group.reduce([]) { $0 + $1 }
    }
    #expect(!RealPhotos.jpegs(run: 2).isEmpty)
    #expect(found == [])
  }
}
