internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// The policies for sidecars: XMP and world files.
enum SidecarPolicy: String, NamedValue {
  /// Reported if they describe the image before the rewrite.
  case report
  /// Updated together with the image.
  case update
  /// Ignored.
  case ignore
}

/// The sidecar of a photo: `photo.jpg.xmp`, or else `photo.xmp`, or else, of a JPEG file, a world file such as `photo.jgw`.
struct SidecarFile: Sendable {
  let path: FilePath
  /// The photo, if the sidecar's name does not have the extension of its name.
  private let photo: FilePath?
  let rights: AccessRights
  let bytes: [UInt8]
  let content: Content

  /// What a sidecar is, by its name.
  enum Kind: CaseIterable, Sendable {
    case xmp, worldFile
  }

  /// What is in a sidecar.
  enum Content: Sendable {
    case xmp(Sidecar)
    case worldFile(WorldFile)

    /// Reads a sidecar.
    ///
    /// - Throws: ``UprightError`` of code `malformed`.
    init(_ bytes: [UInt8], of path: FilePath) throws(UprightError) {
      switch Kind(of: path) {
      case .xmp: self = .xmp(try Sidecar(bytes))
      case .worldFile: self = .worldFile(try WorldFile(bytes))
      }
    }
  }

  /// The value of Orientation in the sidecar, or nil if it has none.
  var orientation: Int? {
    if case .xmp(let sidecar) = content { sidecar.orientation } else { nil }
  }

  /// Whether it is a world file.
  var isWorldFile: Bool {
    if case .worldFile = content { true } else { false }
  }

  /// Returns the update that describes the image after a plan, or nil if none is needed.
  func normalized(for plan: Plan, options: Options) -> Sidecar.Update? {
    switch content {
    case .xmp(let sidecar): sidecar.normalized(for: plan, options: options)
    case .worldFile(let file): file.normalized(for: plan)
    }
  }

  /// The ends of the names of world files.
  static let worldFileEndings = [".jgw", ".jpgw", ".jpw", ".jpegw", ".wld"]

  /// The maximum size of a sidecar in bytes.
  static let maxSize = 16 << 20

  /// Finds the sidecar of a photo.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - kinds: The kinds that are looked for.
  /// - Returns: The first one that exists, or nil.
  /// - Throws: ``FileError`` or ``UprightError`` if it cannot be read.
  static func find(beside photo: FilePath, _ kinds: Set<Kind>) throws -> SidecarFile? {
    for (path, isStem) in names(beside: photo) where kinds.contains(Kind(of: path)) {
      do {
        let reader = try FileReader(path)
        let bytes = try reader.readAll(limit: maxSize)
        let content: Content
        do throws(UprightError) {
          content = try Content(bytes, of: path)
        } catch {
          // The endings of world files are also those of other files.
          if Kind(of: path) == .xmp { throw error }
          continue
        }
        // If there is a raw file of the same name, the sidecar without an extension belongs to it.
        if isStem, case .xmp(let sidecar) = content, !belongs(sidecar, to: photo) { continue }
        return SidecarFile(
          path: path,
          photo: isStem ? photo : nil,
          rights: try reader.rights(),
          bytes: bytes,
          content: content
        )
      } catch let error as FileError where [.notFound, .nameTooLong].contains(error.problem) {
        continue
      }
    }
    return nil
  }

  /// Returns the path of the first file of some kinds that may be the sidecar of a photo, without reading it.
  ///
  /// - Throws: ``FileError`` if a file cannot be examined.
  static func path(beside photo: FilePath, _ kinds: Set<Kind>) throws(FileError) -> FilePath? {
    for path in paths(beside: photo) where kinds.contains(Kind(of: path)) {
      do throws(Errno) {
        if try Syscalls.status(path, followingLinks: true).kind == .regular { return path }
      } catch .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong {
        continue
      } catch {
        throw FileError(path, .read, system: error)
      }
    }
    return nil
  }

  /// Returns the possible paths of a photo's sidecar.
  static func paths(beside photo: FilePath) -> [FilePath] { names(beside: photo).map(\.path) }

  /// Returns the possible paths, and whether each lacks the photo's extension.
  private static func names(beside photo: FilePath) -> [(path: FilePath, isStem: Bool)] {
    guard let name = photo.lastComponent?.bytes else { return [] }
    let stem = stem(of: name)
    let worldFiles = worldFileEndings.flatMap { [$0, $0.uppercased()] }
    return [
      (name, ".xmp", false), (name, ".XMP", false), (stem, ".xmp", true), (stem, ".XMP", true),
    ].compactMap { name, ending, isStem in
      sibling(of: photo, name + Array(ending.utf8)).map { ($0, isStem) }
    }
      + worldFiles.compactMap { ending in
        sibling(of: photo, stem + Array(ending.utf8)).map { ($0, true) }
      }
  }

  /// Whether a sidecar without the photo's extension in its name belongs to a photo: to the master of that name, if there is
  /// one.
  private static func belongs(_ sidecar: Sidecar, to photo: FilePath) -> Bool {
    let promised = photo.extension.flatMap { ImageFormat.promised(byEnding: $0) }
    if promised?.isRaw == true || promised == .dng {
      return sidecar.photoExtension.map { $0.lowercased() == photo.extension?.lowercased() } ?? true
    }
    if let named = sidecar.photoExtension {
      return ImageFormat.promised(byEnding: named) == promised ?? .jpeg
    }
    let masters = ImageFormat.all(of: .raw) + [.dng, .heic, .heif, .tiff]
    return !siblings(of: photo, masters.prefix { $0 != promised }).contains {
      $0.status?.kind == .regular
    }
  }

  /// Another photo that a sidecar without the photo's extension in its name may describe, too, so that an update for one of
  /// them would be wrong for the other.
  var sharer: FilePath? {
    guard let photo else { return nil }
    let isGeneral = path.extension?.lowercased() == "wld"
    let formats: [ImageFormat] =
      isWorldFile ? isGeneral ? [.jpeg, .tiff, .png] : [.jpeg] : [.jpeg, .avif]
    guard let format = photo.extension.flatMap({ ImageFormat.promised(byEnding: $0) }),
      formats.contains(format)
    else { return nil }
    let key = photo.status?.key
    return Self.siblings(of: photo, formats).first { other in
      // Another name of the photo is no other photo.
      guard let status = other.status else { return false }
      return status.kind == .regular && status.key != key
    }
  }

  /// Returns a name without its extension; works on bytes, because names need not be UTF-8.
  static func stem(of name: [UInt8]) -> [UInt8] {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }

  /// Returns the paths with the photo's name and the endings of some formats.
  private static func siblings(
    of photo: FilePath,
    _ formats: some Sequence<ImageFormat>
  ) -> [FilePath] {
    let stem = stem(of: photo.lastComponent?.bytes ?? [])
    return formats.flatMap(\.endings).flatMap { [$0, $0.uppercased()] }.compactMap {
      sibling(of: photo, stem + Array(".\($0)".utf8))
    }
  }

  /// Returns the path of a name in the photo's directory.
  static func sibling(of photo: FilePath, _ name: [UInt8]) -> FilePath? {
    FilePath.Component(bytes: name).map { photo.removingLastComponent().appending($0) }
  }

  /// The sidecar's path as text.
  var name: String { TextFormat.path(path) }

  /// Returns the path of an output's sidecar: next to the output, with the same name as before.
  func path(beside output: FilePath) -> FilePath? {
    path.lastComponent.map { output.removingLastComponent().appending($0) }
  }

  /// Returns the text on a sidecar with another Orientation than its photo, or an empty text.
  func disagreement(with plan: Plan) -> String {
    let own = plan.image.orientation?.rawValue
    return orientation.flatMap { $0 == own ? nil : "; its Orientation is \($0)" } ?? ""
  }

  /// Returns the note on a sidecar that does not match its photo any more.
  func note(for plan: Plan, isDone: Bool) -> String {
    if isWorldFile {
      return "the world file \(name) is that of the stored image"
        + " (to write that of the result, too: --sidecars update)"
    }
    return "the sidecar \(name) describes the image as it "
      + (isDone
        ? "was stored before (to reset its Orientation: --sidecars update --on-conflict reset-tag)"
        : "is stored (to update it: --sidecars update)")
      + disagreement(with: plan)
  }

  /// Returns why the sidecar of a photo that is already upright needs attention.
  ///
  /// - Returns: The reason, or nil if there is none.
  func finding(_ state: PairFile.State, _ plan: Plan) -> Reason? {
    guard case .unchanged = plan.action else { return nil }
    if case .pending = state { return .staleSidecar(name) }
    guard case .xmp(let sidecar) = content, let other = sidecar.orientation,
      sidecar.contradicts(plan.image)
    else { return nil }
    return .sidecarConflict(name, other, plan.image)
  }
}

extension SidecarFile.Kind {
  init(of path: FilePath) {
    self = path.extension?.lowercased() == "xmp" ? .xmp : .worldFile
  }
}

extension ImageFormat {
  /// The kinds of sidecars that are updated together with a photo of this format.
  var sidecars: Set<SidecarFile.Kind> {
    self == .jpeg ? [.xmp, .worldFile] : isHEIF ? [.xmp] : []
  }
}

extension Reason {
  /// The reason for the sidecar of a photo that an interrupted run has replaced.
  static func staleSidecar(_ name: String) -> Reason {
    Reason(
      .staleSidecar,
      "a run was interrupted: the sidecar \(name) describes the image before the rewrite",
      remedies: [Remedy(.policy("sidecars", "update"), "complete that run")]
    )
  }

  /// The reason for a sidecar whose Orientation differs from that of its photo.
  static func sidecarConflict(_ name: String, _ other: Int, _ photo: ImageInfo) -> Reason {
    Reason(
      .sidecarConflict,
      "the sidecar \(name) has Orientation \(other), the photo \(photo.orientation?.rawValue ?? 1)",
      remedies: [
        Remedy(
          .action(.resetSidecar),
          "reset the Orientation of the sidecar, if the photo is correct"
        ),
        photo.isOfOtherFormat
          ? Remedy(.action(.transformImage), "rotate or flip the photo, if the sidecar is correct")
          : Remedy(
            .action(.correctOrientation),
            "set the photo's Orientation to \(other) and normalize it, if the sidecar is correct"
          ),
      ]
    )
  }
}
