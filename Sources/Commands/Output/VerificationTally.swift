internal import FileSystem
internal import Reports
internal import Verification

/// The number of pairs with each result, and the resulting exit status.
struct VerificationTally: Sendable {
  private(set) var total = 0
  private(set) var exitStatus: Int32 = 0
  private var details: [Verdict.Detail: Int] = [:]
  /// The number of pairs in which only images in the file were re-encoded, and their roles.
  private var excepted = 0
  private var exceptions: Set<String> = []
  private var others: [VerificationStatus: Int] = [:]
  /// The number of files and directories that were not compared, by reason.
  private var ignored: [Walk.Reason: Int] = [:]

  /// Counts a pair.
  mutating func count(_ report: VerificationReport) {
    total += 1
    exitStatus = max(exitStatus, report.exitStatus)
    if case .compared(let verdict) = report.outcome {
      details[verdict.detail, default: 0] += 1
      let exceptions = verdict.exceptions
      if !exceptions.isEmpty { excepted += 1 }
      self.exceptions.formUnion(exceptions)
    } else {
      others[report.status, default: 0] += 1
    }
  }

  /// Counts a file or directory that is not compared.
  mutating func countIgnored(_ reason: Walk.Reason) { ignored[reason, default: 0] += 1 }

  /// Adds the counts of other pairs.
  static func += (total: inout VerificationTally, more: VerificationTally) {
    total.total += more.total
    total.exitStatus = max(total.exitStatus, more.exitStatus)
    total.details.merge(more.details, uniquingKeysWith: +)
    total.excepted += more.excepted
    total.exceptions.formUnion(more.exceptions)
    total.others.merge(more.others, uniquingKeysWith: +)
    total.ignored.merge(more.ignored, uniquingKeysWith: +)
  }

  /// The summary: `3 pairs: 1 proven, 1 partly proven (1 re-encoded), 1 already upright`.
  var summary: String {
    let only =
      excepted == 0
      ? "" : ", \(excepted) of these only the \(exceptions.sorted().joined(separator: " or the "))"
    let kinds: [(Verdict.Detail, String)] = [
      (.reencoded, "re-encoded" + only), (.trimmed, "trimmed"),
      (.misregistered, "with data that no longer fits"),
      (.incomplete, "not readable to the end"),
    ]
    let partly = kinds.compactMap { kind, name in
      details[kind].map { (count: $0, text: "\($0) \(name)") }
    }
    var parts: [String] = []
    func add(_ count: Int?, _ name: String) { if let count { parts.append("\(count) \(name)") } }
    let restorable = others[.restorable] ?? 0
    let proven = (details[.lossless] ?? 0) + restorable
    if proven > 0 { add(proven, "proven") }
    if !partly.isEmpty {
      let count = partly.reduce(0) { $0 + $1.count }
      parts.append("\(count) partly proven (" + partly.map(\.text).joined(separator: ", ") + ")")
    }
    add(details[.alreadyUpright], "already upright")
    add(details[.identical], "identical")
    add(others[.untouched], "not rewritten")
    add(details[.notProven], "not proven")
    add(others[.notChecked], "not checked")
    add(others[.changedSince], "changed since")
    add(others[.missingFile], "missing")
    add(others[.extraFile], "without an original")
    add(others[.noRecord], "without a record")
    add(others[.unreadable], "unreadable")
    if !ignored.isEmpty { parts.append(Walk.Reason.summary(ignored, withOptions: false)) }
    let pairs = "\(total) \(total == 1 ? "pair" : "pairs")"
    return parts.isEmpty ? pairs : pairs + ": " + parts.joined(separator: ", ")
  }
}
