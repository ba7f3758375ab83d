import Fixtures
import Foundation
import SystemPackage

/// The conditions that must hold after every run.
struct FaultCheck {
  let trial: FaultTrial
  let result: Tool
  /// The files before the run and after it.
  let (before, now): (Snapshot, Snapshot)
  /// The failure; nil if the process was only killed.
  let fault: Fault?
  /// The command's reports of the files.
  let lines: [Line]

  init(
    _ trial: FaultTrial,
    _ result: Tool,
    from before: Snapshot,
    to now: Snapshot,
    _ fault: Fault?
  ) {
    (self.trial, self.result, self.fault) = (trial, result, fault)
    (self.before, self.now) = (before, now)
    // The last line may be incomplete.
    lines = result.lines.compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  var wasKilled: Bool { result.signal != nil }
  private var old: Snapshot { trial.old }
  private var new: Snapshot { trial.new }

  /// The path in the scratch folder of one that the command printed.
  func name(of path: String) -> String? {
    let folder = trial.scratch.url.path + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : nil
  }

  // MARK: - The first run

  func problems() -> [String] {
    files() + status() + claims() + FaultRecord(trial, now).problems()
  }

  /// Returns the files that are neither the old nor the new version.
  func files() -> [String] {
    var problems: [String] = []
    for (name, state) in now where !Self.isLog(name) {
      if state.bytes == old[name]?.bytes || state.bytes == new[name]?.bytes { continue }
      if name == "page.html", isWholePage(state.bytes), result.status == 2 || mayLackImage {
        continue
      }
      if Self.isTemporary(name) {
        // Until the sidecar is updated, too.
        if Self.isPair(name), lines.contains(where: isNotUpdated) { continue }
        if !mayLeaveTemporary { problems.append("\(name) was left") }
      } else {
        problems.append("\(name) is neither the old nor the new file")
      }
    }
    for name in old.keys where now[name] == nil { problems.append("\(name) is gone") }
    for name in new.keys where name.hasSuffix(".orig") {
      let photo = String(name.dropLast(5))
      let isReplaced = now[photo]?.bytes != old[photo]?.bytes
      if isReplaced, now[name]?.bytes != old[photo]?.bytes {
        problems.append("\(photo) was replaced without a backup")
      }
      if !isReplaced, now[name] != nil, !mayLeaveTemporary {
        problems.append("\(name) was left beside the original")
      }
    }
    return problems
  }

  /// Whether a page that reports a failure is complete.
  private func isWholePage(_ bytes: [UInt8]) -> Bool {
    guard let whole = new["page.html"]?.bytes else { return false }
    return bytes.starts(with: whole.prefix(200)) && bytes.suffix(200) == whole.suffix(200)
  }

  /// Whether a page may lack the image of a photo, because that is a second read of the file.
  private var mayLackImage: Bool { fault?.call.file.hasSuffix(".jpg") == true }

  /// Whether the failure could prevent the command from cleaning up.
  private var mayLeaveTemporary: Bool {
    if wasKilled { return true }
    guard let fault else { return false }
    return fault.call.name == "unlink" || fault.way == .gone || fault.way == .fixed
      || fault.way == .late && fault.call.name == "open"
  }

  /// The exit status says whether all is done.
  private func status() -> [String] {
    if let signal = result.signal {
      let isOurs = signal == SIGKILL || signal == SIGTERM
      return isOurs ? [] : ["it crashed with signal \(signal)"]
    }
    let hasFailed = lines.contains { $0.status == "failed" || isNotUpdated($0) }
    switch result.status {
    case 0:
      if hasFailed { return ["status 0, although something failed"] }
      if fault?.call.isOutput == true, fault?.way == .fail, fault?.error != .interrupted {
        return ["status 0, although the output could not be written"]
      }
      return incomplete().map { "status 0, although \($0)" }
    case 2:
      return hasFailed || !result.errorOutput.isEmpty ? [] : ["status 2 without a reason"]
    case 143: return []
    case let status: return ["status \(status): \(result.errorText)"]
    }
  }

  /// Returns the differences of the tree from that of an undisturbed run.
  private func incomplete() -> [String] {
    let hasWarning = lines.contains { $0.warnings?.isEmpty == false }
    return new.keys.sorted().filter { !Self.isLog($0) }.compactMap { name in
      if now[name]?.bytes != new[name]?.bytes {
        let isWhole = name == "page.html" && mayLackImage && isWholePage(now[name]?.bytes ?? [])
        return isWhole ? nil : "\(name) is not done"
      }
      let isSame = hasWarning || Self.hasOwnTime(name) || now[name] == new[name]
      return isSame ? nil : "\(name) has lost its mode, time or attribute"
    }
  }

  // MARK: - The reports

  /// Checks that the report of each file is true, and that each changed file has a report.
  private func claims() -> [String] {
    var problems = lines.flatMap(falsehoods)
    // Lines that a kill or the output itself kept from being printed say nothing.
    guard !wasKilled, fault?.call.isOutput != true, fault?.way != .gone else { return problems }
    let said = Set(lines.compactMap { name(of: $0.path).map(output(of:)) })
    for name in new.keys where name.hasSuffix(".jpg") && name.hasPrefix(trial.scenario.results) {
      if now[name]?.bytes != before[name]?.bytes, !said.contains(name) {
        problems.append("\(name) was changed, and nothing said of it")
      }
    }
    return problems
  }

  private func falsehoods(_ line: Line) -> [String] {
    guard let path = name(of: line.path) else { return ["a line about \(line.path)"] }
    let sidecar = sidecarFalsehood(line).map { ["\(path): \($0)"] } ?? []
    guard trial.scenario.arguments.first != "audit" else { return [] }
    let target = line.output.flatMap(name(of:)) ?? output(of: path)
    let (state, isNew, isOld) = (
      now[target]?.bytes, now[target]?.bytes == new[target]?.bytes,
      now[target]?.bytes == before[target]?.bytes
    )
    let truth: Bool
    switch line.status {
    case "failed" where line.error?.id == "unconfirmed": truth = isNew
    case "failed" where line.error?.id == "outcome-unknown": truth = isNew || isOld
    case "failed": truth = isOld
    default:
      truth = line.size.map { $0 == state?.count && isNew } ?? (line.output != nil ? isNew : isOld)
    }
    let text = [line.status, line.error?.id, line.error?.text].compactMap(\.self)
    return sidecar
      + (truth ? [] : ["\(path) is said to be \(text.joined(separator: ", ")), and is not"])
  }

  /// Returns the path of the result of a photo.
  private func output(of path: String) -> String {
    let results = trial.scenario.results
    guard results != "tree", path.hasPrefix("tree/") else { return path }
    let inTree = results + path.dropFirst("tree".count)
    // The paths of a tree lose or keep the name of its folder.
    return [inTree, results + "/" + path, results].first { new[$0] != nil } ?? path
  }

  private func isNotUpdated(_ line: Line) -> Bool {
    line.companions?.contains { ["update", "restore"].contains($0.action) && $0.error != nil }
      == true
  }

  private func sidecarFalsehood(_ line: Line) -> String? {
    guard trial.scenario.results == "tree" else { return nil }
    for companion in line.companions ?? [] where ["update", "complete"].contains(companion.action) {
      guard let name = name(of: companion.path) else { continue }
      let bytes = now[name]?.bytes
      let isTrue =
        if companion.done {
          bytes == new[name]?.bytes
        } else {
          companion.error?.text.contains("the new file is in place") ?? true
            || bytes == before[name]?.bytes
        }
      if !isTrue { return "said, and not so: \(companion)" }
    }
    return nil
  }

  // MARK: - The second run

  /// After a second run without faults the tree is that of an undisturbed one.
  ///
  /// - Parameters:
  ///   - second: The second run.
  ///   - then: The files after it.
  ///   - given: The files that it was to work on; nil where it walked the folder.
  /// - Returns: What is not as promised.
  func problems(
    afterSecond second: Tool,
    _ then: Snapshot,
    given: [String]?
  ) -> [String] {
    var problems: [String] = []
    let isAllowed =
      second.status == 0 || trial.scenario.refusesDone && second.status == 2
    if second.signal != nil || !isAllowed {
      problems.append("status \(second.status): \(second.errorText)\(second.text)")
    }
    for (name, state) in then where new[name] == nil && !Self.isLog(name) {
      if Self.isTemporary(name), given != nil || !trial.scenario.walksResults { continue }
      problems.append("\(name) is left (\(state.bytes.count) bytes)")
    }
    for (name, state) in new where !Self.isLog(name) {
      guard let bytes = then[name]?.bytes else {
        problems.append("\(name) is missing")
        continue
      }
      if given?.contains(name) == false, bytes == now[name]?.bytes { continue }
      if bytes == state.bytes { continue }
      problems.append("\(name) is \(bytes == old[name]?.bytes ? "still the old" : "another") file")
    }
    return problems + FaultRecord(trial, then).problems()
  }

  // MARK: - Names

  static func isLog(_ name: String) -> Bool { name == "journal" || name == "record" }

  /// Whether a file is regenerated each time, with the time of its making.
  private static func hasOwnTime(_ name: String) -> Bool { name == "page.html" }

  static func isTemporary(_ name: String) -> Bool {
    name.wholeMatch(of: /(.*\/)?\.[^\/]+\.upright-[a-z0-9]{6}\.tmp/) != nil || isPair(name)
  }

  /// Whether a file says what the sidecar of a photo is to become.
  private static func isPair(_ name: String) -> Bool {
    name.wholeMatch(of: /(.*\/)?\.upright-[0-9a-f]{16}\.pair/) != nil
  }
}
