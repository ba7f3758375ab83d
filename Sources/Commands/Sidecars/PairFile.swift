internal import FileSystem
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A file beside a photograph that says what its sidecar is to become.
///
/// A file system replaces one file at a time. This file is on the disk from before the photograph is replaced until
/// its sidecar is, so that the run after one that ended between the two knows what is left to do, and that the
/// sidecar is not another one since.
struct PairFile: Sendable {
  /// What is left to do.
  struct Content: Codable, Sendable {
    var schema = "upright-pair/1"
    /// The photograph after it was replaced.
    var photograph: Digest
    /// The name of the sidecar.
    var sidecar: RecordedPath
    /// The sidecar before it is replaced.
    var before: Digest
    /// The sidecar afterwards.
    var after: Data
    /// The end of the name of the sidecar's backup.
    var backup: Data?

    /// What is to be done with a sidecar after a photograph has become another one.
    init(_ photograph: [UInt8], _ file: SidecarFile, _ after: [UInt8], backup: [UInt8]?) {
      self.photograph = Digest(of: photograph)
      sidecar = RecordedPath(FilePath(root: nil, file.path.lastComponent.map { [$0] } ?? []))
      before = Digest(of: file.bytes)
      self.after = Data(after)
      self.backup = backup.map { Data($0) }
    }
  }

  /// What the file says of a photograph and its sidecar as they are now.
  enum State: Sendable {
    /// There is no such file.
    case none
    /// Nothing is left to do, or what was to be done is not known any more.
    case obsolete
    /// The photograph was replaced, and its sidecar was not.
    case pending(Content)
  }

  private let photograph: FilePath
  private let path: FilePath?

  /// The file of a photograph; a digest of its name is in its own, which cannot become too long.
  init(beside photograph: FilePath) {
    self.photograph = photograph
    let digest = Digest(of: photograph.lastComponent?.bytes ?? []).hexadecimal.prefix(16)
    path = SidecarFile.sibling(of: photograph, Array(".upright-\(digest).pair".utf8))
  }

  /// Writes down what is to be done, and waits until that is on the disk.
  ///
  /// - Parameters:
  ///   - content: What is to be done.
  ///   - sidecar: The sidecar, whose rights the file gets.
  /// - Throws: ``FileError``; nothing may be replaced then.
  func write(_ content: Content, like sidecar: SidecarFile) throws(FileError) {
    guard let path else { return }
    let bytes = content.jsonBytes
    remove()
    do throws(FileError) {
      // Never over anything that somebody put there meanwhile.
      _ = try AtomicCreation(touch: true).create(path, like: sidecar.rights, with: bytes)
    } catch  where error.problem == .unconfirmed {
      // The same directory will say so of the photograph.
    }
  }

  /// Removes the file, if it is there.
  func remove() {
    if let path { try? Syscalls.unlink(path) }
  }

  /// Holds the file against a photograph and its sidecar.
  func state(of sidecar: SidecarFile) -> State {
    guard let path, let reader = try? FileReader(path) else { return .none }
    guard let bytes = try? reader.readAll(limit: 2 * SidecarFile.maxSize),
      let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
      content.schema == "upright-pair/1",
      content.sidecar.path.lastComponent == sidecar.path.lastComponent,
      content.before == Digest(of: sidecar.bytes),
      (try? Upright.Sidecar([UInt8](content.after))) != nil,
      let photograph = try? FileReader(photograph),
      content.photograph == (try? Digest(of: photograph))
    else { return .obsolete }
    return .pending(content)
  }
}
