import Fixtures
import Foundation
import ImageOrientation
import Testing
import Upright
import Verification

@Suite(.requiresRealPhotos)
struct VerifierCorpusTests {
  private static let maxPixels = 3_000_000
  private static let policies = Options.UnalignedPolicy.allCases
  private static let orientations: [Orientation?] = [nil, .right, .down]

  @Test(arguments: policies, orientations)
  func `What Upright makes of real photos is proven, for every policy`(
    policy: Options.UnalignedPolicy,
    orientation: Orientation?
  ) async throws {
    let run =
      try #require(Self.policies.firstIndex(of: policy))
      + #require(Self.orientations.firstIndex(of: orientation))
    let (proven, complaints) = await withTaskGroup(of: String??.self) { group in
      for file in RealPhotos.jpegs(run: run) {
        group.addTask { Self.complaint(file, policy, orientation) }
      }
      var (proven, complaints) = (0, [String]())
      for await result in group {
        guard let result else { continue }
        if let result { complaints.append(result) } else { proven += 1 }
      }
      return (proven, complaints.sorted())
    }
    print(
      "corpus: \(proven) proven, \(policy), Orientation \(orientation.map { "\($0)" } ?? "as it is")"
    )
    #expect(complaints == [])
  }

  /// What is wrong with the proof of a file; nil where it is not rewritten, and an inner nil where it is proven.
  private static func complaint(
    _ file: URL,
    _ policy: Options.UnalignedPolicy,
    _ orientation: Orientation?
  ) -> String?? {
    guard var original = (try? Data(contentsOf: file)).map({ [UInt8]($0) }) else { return nil }
    var options = Options()
    (options.maxPixels, options.unaligned) = (maxPixels, policy)
    (options.onConflict, options.contentCredentials) = (.trustTag, .keep)
    if let orientation,
      case .rewritten(let tagged)? = try? Rewriter(.tag(.set(orientation)), options: options)
        .rewrite(
          original
        )
    {
      original = tagged.bytes
    }
    guard case .rewritten(let rewrite)? = try? Rewriter(options: options).rewrite(original)
    else {
      return nil
    }
    do throws(UprightError) {
      let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
      guard verdict.conclusion == .notProven else { return .some(nil) }
      return "\(file.lastPathComponent): \(verdict.findings.map(\.text))"
    } catch {
      return "\(file.lastPathComponent): \(error)"
    }
  }
}
