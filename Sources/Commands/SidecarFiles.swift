internal import Archive
internal import ArgumentParser
internal import ImageOrientation
internal import Records
internal import SystemPackage
internal import Upright

/// What is done about XMP files beside the photographs.
enum SidecarPolicy: String, CaseIterable, ExpressibleByArgument {
  /// They are looked for, and reported when they describe the picture as it was.
  case report
  /// They are kept in step with the picture.
  case update
  /// They are not looked for.
  case ignore
}

/// The sidecar of a photograph: `photo.jpg.xmp`, or else `photo.xmp`.
struct SidecarFile: Sendable {
  let path: FilePath
  let rights: AccessRights
  let sidecar: Sidecar

  /// Looks for the sidecar of a photograph.
  ///
  /// - Returns: The first one that there is, or nil.
  /// - Throws: ``FileError`` or ``UprightError`` where there is one that cannot be read.
  static func find(beside photo: FilePath) throws -> SidecarFile? {
    for (path, isStem) in names(beside: photo) {
      do {
        let reader = try FileReader(path)
        let sidecar = try Sidecar(try reader.readAll(limit: 16 << 20))
        // Beside a raw file of the same name the stem's sidecar is that one's.
        if isStem, !belongs(sidecar, to: photo) { continue }
        return SidecarFile(path: path, rights: try reader.rights(), sidecar: sidecar)
      } catch let error as FileError where error.identifier == "not-found" {
        continue
      }
    }
    return nil
  }

  /// The name of the first file beside a photograph that may be its sidecar; it is not read.
  static func path(beside photo: FilePath) -> FilePath? {
    names(beside: photo).map(\.path).first {
      (try? Syscalls.status($0, followingLinks: true))?.kind == .regular
    }
  }

  /// Where the sidecar of a photograph can be, and whether its name lacks the photograph's extension.
  private static func names(beside photo: FilePath) -> [(path: FilePath, isStem: Bool)] {
    guard let name = photo.lastComponent, let stem = FilePath.Component(name.stem + ".xmp"),
      let full = FilePath.Component(name.string + ".xmp")
    else { return [] }
    let directory = photo.removingLastComponent()
    return [(directory.appending(full), false), (directory.appending(stem), true)]
  }

  /// Whether a sidecar without the photograph's extension in its name is a JPEG photograph's.
  private static func belongs(_ sidecar: Sidecar, to photo: FilePath) -> Bool {
    if let named = sidecar.photographExtension {
      return ["jpg", "jpeg", "jpe", "jfif"].contains(named.lowercased())
    }
    guard let stem = photo.lastComponent?.stem else { return true }
    let raws = [
      "3fr", "arw", "cr2", "cr3", "crw", "dng", "erf", "heic", "heif", "iiq", "mrw", "nef", "nrw",
      "orf", "pef", "raf", "raw", "rw2", "sr2", "srw", "tif", "tiff", "x3f",
    ]
    return !raws.flatMap { [$0, $0.uppercased()] }.contains { raw in
      guard let name = FilePath.Component("\(stem).\(raw)") else { return false }
      return (try? FileReader(photo.removingLastComponent().appending(name))) != nil
    }
  }

  /// Reports the sidecar of a photograph that is turned, or lets it follow.
  ///
  /// - Parameters:
  ///   - plan: What was, or will be, done with the photograph.
  ///   - policy: What to do about sidecars.
  ///   - options: The options of the plan.
  ///   - target: Where the photograph went; nil when nothing is written.
  ///   - replacement: How files are replaced.
  ///   - creation: How outputs are made that do not replace their input.
  ///   - record: Where updates are recorded, if they are.
  /// - Returns: What to tell people, if anything.
  /// - Throws: ``FileError``.
  func follow(
    _ plan: Plan,
    policy: SidecarPolicy,
    options: Options,
    to target: FileNormalization.Target?,
    _ replacement: AtomicReplacement,
    _ creation: AtomicCreation,
    _ record: RecordLog?
  ) throws -> String? {
    guard let update = sidecar.normalized(for: plan, options: options) else { return nil }
    let name = TextFormat.path(path)
    let own = plan.picture.orientation?.rawValue
    let disagreement =
      sidecar.orientation.flatMap { $0 == own ? nil : "; it says Orientation \($0)" } ?? ""
    guard policy == .update else {
      return
        "the sidecar \(name) describes the picture as it was stored (--sidecars update turns it)"
        + disagreement
    }
    switch target {
    case nil: return "the sidecar \(name) will be updated" + disagreement
    case .inPlace?:
      try record?.append { Record(of: update, path: path, output: nil, in: $0) }
      _ = try replacement.replace(path, readAs: rights.identity, with: update.bytes)
      return "the sidecar \(name) was updated" + disagreement
    case .file(let output)?:
      guard let component = path.lastComponent else { return nil }
      let copy = output.removingLastComponent().appending(component)
      try record?.append { Record(of: update, path: path, output: copy, in: $0) }
      try creation.create(copy, like: rights, with: update.bytes)
      return "the updated sidecar is \(TextFormat.path(copy))"
    case .standardOutput?: return nil
    }
  }
}
