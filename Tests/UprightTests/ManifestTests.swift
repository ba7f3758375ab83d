import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

/// The reason or the error that a fixture must give, whatever gave it.
private func identifier(_ action: Action) -> String? {
  switch action {
  case .transform, .changeTag: nil
  case .unchanged(let reason), .skip(let reason), .resetTag(let reason): reason.code.rawValue
  }
}

struct ManifestTests {
  @Test(arguments: Fixture.all)
  func `Every fixture has the outcome in its manifest`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    try expect(fixture, bytes)
  }

  private func expect(_ fixture: Fixture, _ bytes: [UInt8]) throws {
    do throws(UprightError) {
      let outcome = try Rewriter().rewrite(bytes)
      let action = outcome.plan.action
      #expect(identifier(action) == fixture.reason)
      switch (fixture.expect, action) {
      case (.lossless, .transform(let transform, .lossless)):
        #expect(transform.rawValue == fixture.transform)
      case (.reencoded, .transform(let transform, .reencoded)):
        #expect(transform.rawValue == fixture.transform)
      case (.unchanged, .unchanged), (.refused, .skip), (.conflict, .skip): break
      default: Issue.record("\(action)")
      }
      #expect(outcome.plan.image.size.width == fixture.width)
      #expect(outcome.plan.image.size.height == fixture.height)
      if case .rewritten = outcome {
        #expect(action.rewrites)
      } else {
        #expect(!action.rewrites)
      }
    } catch {
      #expect([.damaged, .notJPEG].contains(fixture.expect), "\(error)")
      #expect(error.code.rawValue == fixture.reason)
      #expect(!error.message.isEmpty)
    }
  }

  /// What a thumbnail shows is known only if the whole file is read.
  @Test(
    arguments: Fixture.all.filter {
      $0.path != "bad/no-eoi-upright.jpg" && !$0.path.hasPrefix("conflict/content-")
    }
  )
  func `The header gives the same plan as the whole file`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    do throws(UprightError) {
      let plan = try Rewriter().rewrite(bytes).plan
      let planned = try planned(bytes)
      #expect(planned?.action == plan.action)
      #expect(planned?.changes == plan.changes)
      // What becomes of a thumbnail only shows when it is transformed.
      let notes = Set(planned?.notes ?? [])
      #expect(notes.isSubset(of: plan.notes))
      #expect(planned?.image == plan.image)
    } catch {
      // What the header shows, planning reports; the rest only shows in the scans.
      do throws(UprightError) {
        guard try planned(bytes) != nil else { return }
        // Its damage is a marker after the scan.
        let isLate = fixture.path == "bad/reserved-marker.jpg"
        #expect(isLate || [.truncated, .damagedScan].contains(error.code))
      } catch let planning {
        #expect(planning.code == error.code)
      }
    }
  }

  /// Returns the plan for the beginning of a file; nil if more of it is needed.
  private func planned(_ beginning: [UInt8]) throws(UprightError) -> Plan? {
    guard case .plan(let plan) = try Rewriter().plan(beginning: beginning) else { return nil }
    return plan
  }

  @Test(arguments: ["sample/portrait.jpg", "exif/late.jpg", "conflict/thumbnail-tag-8.jpg"])
  func `A plan needs only the data before the first scan`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    let whole = try Rewriter().plan(bytes)
    let header = try #require(ImageFile(bytes).container.scans.first).data.lowerBound
    for length in Array(stride(from: 1, to: header, by: 7)) + [header - 1] {
      #expect(try planned(Array(bytes[..<length])) == nil)
    }
    for length in [header, header + 1, bytes.count - 1] {
      let plan = try #require(try planned(Array(bytes[..<length])))
      #expect(plan.action == whole.action)
      #expect(plan.changes == whole.changes)
    }
  }

  @Test(arguments: Fixture.expecting(.lossless))
  func `A transform is lossless, and changes only what it lists`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(bytes) else {
      Issue.record("not rewritten")
      return
    }
    let complaints = try RewriteCheck.complaints(rewrite, of: bytes)
    #expect(complaints == [])
  }

  @Test(arguments: Fixture.expecting(.reencoded))
  func `A redraw is close to the original, can be undone, and changes only what it lists`(
    fixture: Fixture
  ) throws {
    let bytes = try fixture.bytes()
    let rewrite = try Rewriter().rewrite(bytes).rewritten()
    let complaints = try RewriteCheck.complaints(rewrite, of: bytes)
    #expect(complaints == [])
  }

  @Test(arguments: Fixture.expecting(.lossless) + Fixture.expecting(.reencoded))
  func `A transform is the same in every run`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    guard case .rewritten(let first) = try Rewriter().rewrite(bytes),
      case .rewritten(let second) = try Rewriter().rewrite(bytes)
    else {
      Issue.record("not rewritten")
      return
    }
    #expect(first.bytes == second.bytes)
    #expect(first.changes == second.changes)
  }
}
