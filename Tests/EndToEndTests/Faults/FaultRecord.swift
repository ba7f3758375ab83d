import FileSystem
import Fixtures
import Records
import SystemPackage
import Upright

/// The record of a trial, and whether it restores the original of each file that was replaced.
struct FaultRecord {
  let trial: FaultTrial
  let now: Snapshot

  init(_ trial: FaultTrial, _ now: Snapshot) { (self.trial, self.now) = (trial, now) }

  /// What it does not restore.
  func problems() -> [String] {
    guard trial.scenario.has("--record"), trial.scenario.arguments.first != "undo" else {
      return []
    }
    let replaced = now.filter { name, state in
      trial.new[name] != nil && !FaultCheck.isLog(name) && !name.hasSuffix(".orig")
        && state.bytes != original(of: name)
    }
    guard !replaced.isEmpty else { return [] }
    do {
      let index = try RecordIndex(FilePath(trial.scratch.path("record")))
      return replaced.compactMap { name, state in
        do {
          return try restored(state.bytes, name, index) == original(of: name)
            ? nil : "the record does not restore \(name)"
        } catch { return "the record does not restore \(name): \(error)" }
      }
    } catch { return ["the record cannot be read: \(error)"] }
  }

  /// What a file was made from.
  private func original(of name: String) -> [UInt8]? {
    if let state = trial.old[name] { return state.bytes }
    let path = name.hasPrefix("out/tree/") ? String(name.dropFirst(4)) : "tree" + name.dropFirst(3)
    return trial.old[path]?.bytes
  }

  private func restored(_ bytes: [UInt8], _ name: String, _ index: RecordIndex) throws -> [UInt8] {
    var bytes = bytes
    let place = FilePath(trial.scratch.path(name))
    let entries = try index.undo(from: Digest(of: bytes), at: place) { _ in .nothing }
    for entry in entries {
      guard let undo = try index.record(entry)?.undo?.record(forResultOf: bytes.count) else {
        break
      }
      bytes = try undo.restoreOriginal(from: bytes)
    }
    return bytes
  }
}
