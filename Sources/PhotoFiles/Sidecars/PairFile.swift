internal import FileSystem
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// A file next to a photo with the new content of one of its sidecars.
///
/// A file system replaces one file at a time. This file is on the disk from before the photo is replaced
/// until its sidecar is. If a run is interrupted between the two, the next run finds here what remains to be done,
/// and can check that the sidecar has not been changed since.
struct PairFile: Sendable {
  /// The work that remains.
  struct Content: JSONObject, Sendable {
    var schema = "upright-pair/1"
    /// The name of the photo.
    var name: RecordedPath
    /// The photo after it was replaced.
    var photo: Digest
    /// The name of the sidecar.
    var sidecar: RecordedPath
    /// The sidecar before it is replaced.
    var before: Digest
    /// The new sidecar.
    var after: [UInt8]
    /// The suffix of the sidecar's backup.
    var backup: [UInt8]?
    /// The modification time that the sidecar gets again, as in a record.
    var modified: String?

    /// Creates the content for a sidecar that is replaced after its photo.
    init(
      _ photo: PairReplacement.Member,
      _ sidecar: PairReplacement.SidecarMember,
      backup: [UInt8]?
    ) {
      func name(_ path: FilePath) -> RecordedPath {
        RecordedPath(FilePath(root: nil, path.lastComponent.map { [$0] } ?? []))
      }
      (self.name, self.sidecar) = (name(sidecar.photo), name(sidecar.path))
      self.photo = Digest(of: photo.bytes)
      before = Digest(of: sidecar.former)
      after = sidecar.bytes
      self.backup = backup
      modified = sidecar.change.original.map { RecordedTime($0).text }
    }

    /// Reads the object of a file.
    init(_ json: JSONValue) throws(JSONValue.Invalid) {
      schema = try json.required("schema") { $0.string }
      name = try json.required("name", RecordedPath.init)
      photo = try json.required("photo", Digest.init)
      sidecar = try json.required("sidecar", RecordedPath.init)
      before = try json.required("before", Digest.init)
      after = try json.required("after") { $0.string.flatMap([UInt8].init(base64:)) }
      backup = try json.optional("backup") { $0.string.flatMap([UInt8].init(base64:)) }
      modified = try json.optional("modified") { $0.string }
    }

    func writeFields(to json: inout JSONWriter) {
      json.field("after", after.base64)
      json.field("backup", backup?.base64)
      json.field("before", before.hexadecimal)
      json.field("modified", modified)
      json.field("name", name)
      json.field("photo", photo.hexadecimal)
      json.field("schema", schema)
      json.field("sidecar", sidecar)
    }
  }

  /// The ending of the file's name, which no sidecar has.
  static let ending = "pair"

  let sidecar: FilePath
  private let photo: FilePath
  private let path: FilePath

  /// Creates the path for a sidecar of a photo; it contains a digest of the sidecar's name, so it cannot become too
  /// long.
  init(of sidecar: FilePath, _ photo: FilePath) {
    (self.sidecar, self.photo) = (sidecar, photo)
    let digest = Digest(of: sidecar.lastComponent?.bytes ?? []).hexadecimal.prefix(16)
    path = sidecar.removingLastComponent().appending(".upright-\(digest).\(Self.ending)")
  }

  /// Writes the content and waits until it is on the disk.
  ///
  /// - Throws: ``FileError``; nothing may be replaced then. The problem is `exists` if another run has written its own.
  func write(_ content: Content, like rights: AccessRights) throws(FileError) {
    let bytes = content.jsonBytes
    try remove()
    do throws(FileError) {
      // Never overwrites a file that another program created meanwhile.
      _ = try AtomicCreation(times: .now).create(path, like: rights, with: bytes)
    } catch  where error.problem == .unconfirmed {
      // The same directory reports the error for the photo, too.
    }
  }

  /// Removes the file, if it exists.
  ///
  /// - Throws: ``FileError``. The next run finds the file obsolete, so a file that is left does no harm.
  func remove() throws(FileError) {
    do throws(Errno) {
      try Syscalls.unlink(path)
    } catch {
      if error != .noSuchFileOrDirectory { throw FileError(path, .replace, system: error) }
    }
  }

  /// The new content of the sidecar, if the photo was replaced and the sidecar was not.
  var pending: [UInt8]? {
    guard case .pending(let content, _, _) = state() else { return nil }
    return content.after
  }

  /// Replaces the sidecar, if an interrupted run has replaced only its photo and nothing protects it.
  ///
  /// - Returns: Whether it was replaced.
  func complete(
    with replacement: AtomicReplacement,
    _ protection: WriteProtection.Rule
  ) throws(SidecarError) -> Bool {
    switch state() {
    case .pending(_, _, let identity)
    where protection.protection(of: sidecar, identity) != nil
      || replacement.refusesLinks(sidecar, identity):
      return false
    case .unknown: return false
    case .obsolete:
      try? remove()
      return false
    case .pending(let content, let former, let identity):
      var replacement = replacement
      if let backup = content.backup { replacement.backupSuffix = backup }
      let change = ContentChange(original: content.modified.flatMap(RecordedTime.init)?.time)
      _ = try SidecarError.of { () throws(FileError) in
        try replacement.replace(
          sidecar,
          readAs: identity,
          former,
          with: content.after,
          change
        )
      }
      try? remove()
      return true
    }
  }

  private enum State {
    /// There is no such file, or it is of another photo or another version, or it, the photo or the sidecar cannot be read now.
    case unknown
    /// No work remains, or the file does not match the photo and the sidecar any more.
    case obsolete
    /// The photo was replaced, and this version of its sidecar was not.
    case pending(Content, [UInt8], FileIdentity)
  }

  private func state() -> State {
    guard let bytes = try? readFile(path, limit: 2 * SidecarFile.maxSize).bytes,
      let photo = try? FileReader(photo), let digest = try? Digest(of: photo),
      let (former, identity) = try? readFile(sidecar, limit: SidecarFile.maxSize)
    else { return .unknown }
    guard let content = try? Content(JSONValue(bytes)),
      content.schema == "upright-pair/1",
      content.name.path.lastComponent == self.photo.lastComponent
    else { return .unknown }
    guard content.sidecar.path.lastComponent == sidecar.lastComponent,
      content.before == Digest(of: former),
      (try? SidecarFile.Content(content.after, of: sidecar)) != nil,
      content.photo == digest
    else { return .obsolete }
    return .pending(content, former, identity)
  }
}
