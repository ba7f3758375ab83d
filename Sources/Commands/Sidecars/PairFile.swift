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

/// A file next to a photo with the new content of one of its sidecars.
///
/// A file system replaces one file at a time. This file is on the disk from before the photo is replaced
/// until its sidecar is. If a run is interrupted between the two, the next run finds here what remains to be done,
/// and can check that the sidecar has not been changed since.
struct PairFile: Sendable {
  /// The work that remains.
  struct Content: Decodable, JSONObject, Sendable {
    var schema = "upright-pair/1"
    /// The photo after it was replaced.
    var photo: Digest
    /// The name of the sidecar.
    var sidecar: RecordedPath
    /// The sidecar before it is replaced.
    var before: Digest
    /// The new sidecar.
    var after: Data
    /// The suffix of the sidecar's backup.
    var backup: Data?

    /// Creates the content for a sidecar that is replaced after its photo.
    init(_ photo: Digest, _ file: SidecarFile, _ after: [UInt8], backup: [UInt8]?) {
      self.photo = photo
      sidecar = RecordedPath(FilePath(root: nil, file.path.lastComponent.map { [$0] } ?? []))
      before = Digest(of: file.bytes)
      self.after = Data(after)
      self.backup = backup.map { Data($0) }
    }

    func writeFields(to json: inout JSONWriter) {
      json.field("after", after.base64EncodedString())
      json.field("backup", backup?.base64EncodedString())
      json.field("before", before.hexadecimal)
      json.field("photo", photo.hexadecimal)
      json.field("schema", schema)
      json.field("sidecar", sidecar)
    }
  }

  /// The state of a photo and its sidecar according to the file.
  enum State: Sendable {
    /// There is no such file, or it or the photo cannot be read.
    case none
    /// No work remains, or the file does not match the photo and the sidecar any more.
    case obsolete
    /// The photo was replaced, and its sidecar was not.
    case pending(Content)
  }

  /// The ending of the file's name, which no sidecar has.
  static let ending = "pair"

  private let photo: FilePath
  private let path: FilePath?

  /// Creates the path for a sidecar of a photo; it contains a digest of the sidecar's name, so it cannot become too
  /// long.
  init(of sidecar: FilePath, _ photo: FilePath) {
    self.photo = photo
    let digest = Digest(of: sidecar.lastComponent?.bytes ?? []).hexadecimal.prefix(16)
    path = SidecarFile.sibling(of: photo, Array(".upright-\(digest).\(Self.ending)".utf8))
  }

  /// Writes the content and waits until it is on the disk.
  ///
  /// - Throws: ``FileError``; nothing may be replaced then. The problem is `exists` if another run has written its own.
  func write(_ content: Content, like sidecar: SidecarFile) throws(FileError) {
    guard let path else { return }
    let bytes = content.jsonBytes
    try remove()
    do throws(FileError) {
      // Never overwrites a file that another program created meanwhile.
      _ = try AtomicCreation(times: .now).create(path, like: sidecar.rights, with: bytes)
    } catch  where error.problem == .unconfirmed {
      // The same directory reports the error for the photo, too.
    }
  }

  /// Removes the file, if it exists.
  ///
  /// - Throws: ``FileError``. The next run finds the file obsolete, so a file that is left does no harm.
  func remove() throws(FileError) {
    guard let path else { return }
    do throws(Errno) {
      try Syscalls.unlink(path)
    } catch {
      if error != .noSuchFileOrDirectory { throw FileError(path, .replace, system: error) }
    }
  }

  /// Compares the file with a photo and its sidecar.
  func state(of sidecar: SidecarFile) -> State {
    // What cannot be read now is not obsolete: it remains for the next run.
    guard let path, let reader = try? FileReader(path),
      let bytes = try? reader.readAll(limit: 2 * SidecarFile.maxSize),
      let photo = try? FileReader(photo), let digest = try? Digest(of: photo)
    else { return .none }
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
      content.schema == "upright-pair/1",
      content.sidecar.path.lastComponent == sidecar.path.lastComponent,
      content.before == Digest(of: sidecar.bytes),
      (try? SidecarFile.Content([UInt8](content.after), of: sidecar.path)) != nil,
      content.photo == digest
    else { return .obsolete }
    return .pending(content)
  }
}
