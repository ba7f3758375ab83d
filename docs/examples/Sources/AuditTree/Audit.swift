import Foundation
import Reports
import Upright
import UprightFoundation

/// The findings in a directory tree.
struct Findings {
  var upright = 0
  var lossless = 0
  var reencoded = 0
  var suspicious: [URL] = []
  var failed: [URL: String] = [:]
  var places: [Facts.Position] = []

  mutating func add(_ photo: URL, _ audit: Audit) {
    switch audit.plan.action {
    case .unchanged: upright += 1
    case .transform(_, .lossless): lossless += 1
    case .transform: reencoded += 1
    case .skip(let reason) where reason.code == .conflict: suspicious.append(photo)
    case .skip(let reason): failed[photo] = reason.explanation
    case .resetTag, .changeTag: break  // not with the default options
    }
    if let position = audit.facts.position { places.append(position) }
  }
}

/// Audits every photo below a folder, without writing anything.
func audit(_ folder: URL) throws -> Findings {
  var findings = Findings()
  let rewriter = Rewriter()
  let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
  while let file = files?.nextObject() as? URL {
    guard ["jpg", "jpeg"].contains(file.pathExtension.lowercased()) else { continue }
    do {
      findings.add(file, try rewriter.audit(contentsOf: file))
    } catch {
      findings.failed[file] = error.localizedDescription
    }
  }
  return findings
}

/// The line that `upright audit --format ndjson` prints.
func report(_ photo: URL) throws -> String {
  do {
    let audit = try Rewriter().audit(contentsOf: photo)
    return JSONReport(path: photo.path, planned: audit.plan, facts: audit.facts).json
  } catch let error as UprightError {
    return JSONReport(path: photo.path, failed: error).json
  }
}
