internal import ArgumentParser
internal import FileSystem
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// What is done about XMP files beside the photographs.
enum SidecarPolicy: String, NamedValue {
  /// They are looked for, and reported when they describe the image as it was.
  case report
  /// They are kept consistent with the image.
  case update
  /// They are not looked for.
  case ignore
}

/// The sidecar of a photograph: `photo.jpg.xmp`, or else `photo.xmp`.
struct SidecarFile: Sendable {
  let path: FilePath
  let rights: AccessRights
  let bytes: [UInt8]
  let sidecar: Sidecar

  /// The largest file that is taken for a sidecar.
  static let maxSize = 16 << 20

  /// Looks for the sidecar of a photograph.
  ///
  /// - Returns: The first one that there is, or nil.
  /// - Throws: ``FileError`` or ``UprightError`` where there is one that cannot be read.
  static func find(beside photo: FilePath) throws -> SidecarFile? {
    for (path, isStem) in names(beside: photo) {
      do {
        let reader = try FileReader(path)
        let bytes = try reader.readAll(limit: maxSize)
        let sidecar = try Sidecar(bytes)
        // Beside a raw file of the same name the stem's sidecar is that one's.
        if isStem, !belongs(sidecar, to: photo) { continue }
        return SidecarFile(path: path, rights: try reader.rights(), bytes: bytes, sidecar: sidecar)
      } catch let error as FileError where [.notFound, .nameTooLong].contains(error.problem) {
        continue
      }
    }
    return nil
  }

  /// The name of the first file beside a photograph that may be its sidecar; it is not read.
  static func path(beside photo: FilePath) -> FilePath? {
    paths(beside: photo).first {
      (try? Syscalls.status($0, followingLinks: true))?.kind == .regular
    }
  }

  /// Where the sidecar of a photograph can be.
  static func paths(beside photo: FilePath) -> [FilePath] { names(beside: photo).map(\.path) }

  /// The same, and whether the name lacks the photograph's extension.
  private static func names(beside photo: FilePath) -> [(path: FilePath, isStem: Bool)] {
    guard let name = photo.lastComponent?.bytes else { return [] }
    return [(name, false), (stem(of: name), true)].compactMap { name, isStem in
      sibling(of: photo, name + Array(".xmp".utf8)).map { ($0, isStem) }
    }
  }

  /// Whether a sidecar without the photograph's extension in its name is a JPEG photograph's.
  private static func belongs(_ sidecar: Sidecar, to photo: FilePath) -> Bool {
    if let named = sidecar.photographExtension {
      return ["jpg", "jpeg", "jpe", "jfif"].contains(named.lowercased())
    }
    let stem = stem(of: photo.lastComponent?.bytes ?? [])
    let raws = [
      "3fr", "arw", "cr2", "cr3", "crw", "dng", "erf", "heic", "heif", "iiq", "mrw", "nef", "nrw",
      "orf", "pef", "raf", "raw", "rw2", "sr2", "srw", "tif", "tiff", "x3f",
    ]
    return !raws.flatMap { [$0, $0.uppercased()] }.contains { raw in
      guard let path = sibling(of: photo, stem + Array(".\(raw)".utf8)) else { return false }
      return (try? Syscalls.status(path, followingLinks: true))?.kind == .regular
    }
  }

  /// A name without its extension; by bytes, because names need not be UTF-8.
  private static func stem(of name: [UInt8]) -> [UInt8] {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }

  /// A file of this name in a photograph's directory.
  static func sibling(of photo: FilePath, _ name: [UInt8]) -> FilePath? {
    FilePath.Component(bytes: name).map { photo.removingLastComponent().appending($0) }
  }

  /// The sidecar's name, for people.
  var name: String { TextFormat.path(path) }

  /// Where the sidecar of an output goes: beside it, under its own name.
  func path(beside output: FilePath) -> FilePath? {
    path.lastComponent.map { output.removingLastComponent().appending($0) }
  }

  /// That the sidecar gives another Orientation than its photograph, where it does.
  func disagreement(with plan: Plan) -> String {
    let own = plan.image.orientation?.rawValue
    return sidecar.orientation.flatMap { $0 == own ? nil : "; it says Orientation \($0)" } ?? ""
  }

  /// That the sidecar does not follow its photograph.
  func note(for plan: Plan, isDone: Bool) -> String {
    "the sidecar \(name) describes the image as it "
      + (isDone
        ? "was stored (its Orientation: --sidecars update --on-conflict reset-tag)"
        : "is stored (--sidecars update transforms it)")
      + disagreement(with: plan)
  }

  /// Why somebody should look at the sidecar of a photograph that is already upright itself.
  ///
  /// - Parameters:
  ///   - state: What an interrupted run has left.
  ///   - plan: The plan of the photograph.
  /// - Returns: The reason; nil where there is none.
  func finding(_ state: PairFile.State, _ plan: Plan) -> Reason? {
    guard case .unchanged = plan.action else { return nil }
    if case .pending = state { return .staleSidecar(name) }
    let own = plan.image.orientation?.rawValue ?? 1
    guard let other = sidecar.orientation, other != own else { return nil }
    return .sidecarConflict(name, other, own)
  }
}

extension Reason {
  /// The sidecar of a photograph that an interrupted run has replaced.
  static func staleSidecar(_ name: String) -> Reason {
    Reason(
      Code(rawValue: "stale-sidecar"),
      "a run was interrupted, and the sidecar \(name) describes the image as it was before"
        + " (--sidecars update brings that run to its end)"
    )
  }

  /// A sidecar whose Orientation nobody can tell to be stale or meant.
  static func sidecarConflict(_ name: String, _ other: Int, _ own: Int) -> Reason {
    Reason(
      Code(rawValue: "sidecar-conflict"),
      "the sidecar \(name) gives Orientation \(other), and the photograph \(own)"
        + " (if the photograph is right: --sidecars update --on-conflict reset-tag;"
        + " if the sidecar is: upright tag set \(other), then normalize)"
    )
  }
}
