internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// A sidecar of a photo: `photo.jpg.xmp`, `photo.xmp`, or, of a JPEG file, a world file such as `photo.jgw`.
struct SidecarFile: Sendable {
  let path: FilePath
  /// The photo, or the symbolic link to it, that the sidecar is named after.
  let photo: FilePath
  /// Whether the sidecar's name has not the extension of the photo's.
  let isStem: Bool
  let rights: AccessRights
  let bytes: [UInt8]
  let content: Content
  /// Whether an interrupted run has replaced only the photo; ``bytes`` are what it would have written.
  let isPending: Bool

  /// What a sidecar has: `bytes` are those that an interrupted run would have written, if it is pending.
  typealias Contents = (rights: AccessRights, bytes: [UInt8], isPending: Bool)

  /// What a sidecar is, by its name.
  enum Kind: CaseIterable, Sendable {
    case xmp, worldFile
  }

  /// A file with the name of a sidecar.
  enum Found {
    case file(SidecarFile)
    /// It is the sidecar of another file, or may be.
    case foreign(FilePath, Claim)
    case unreadable(FilePath, any Error)

    /// The sidecar, or nil if it is none of the photo, or cannot be read.
    var file: SidecarFile? {
      if case .file(let file) = self { file } else { nil }
    }
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
  ///
  /// - Throws: ``UprightError`` of code `malformed`, if a world file cannot have the new numbers.
  func normalized(for plan: Plan, options: Options) throws(UprightError) -> Sidecar.Update? {
    switch content {
    case .xmp(let sidecar): return sidecar.normalized(for: plan, options: options)
    case .worldFile(let file):
      do throws(UprightError) { return try file.normalized(for: plan) } catch {
        throw UprightError(error.code, "\(name): \(error.message)")
      }
    }
  }

  /// The ends of the names of world files.
  static let worldFileEndings = [".jgw", ".jpgw", ".jpw", ".jpegw", ".wld"]

  /// The end of the names of XMP files.
  private static let xmpEnding = ".xmp"
  /// The ends of the names of all sidecars.
  static let endings = [xmpEnding] + worldFileEndings
  fileprivate static let endingsOfNames = NameEndings(endings)

  /// The maximum size of a sidecar in bytes.
  static let maxSize = 16 << 20

  /// Finds the existing files with the names of a photo's sidecars, at all of its places; of world files, those that can be
  /// read as such.
  ///
  /// - Throws: ``FileError`` if it cannot be found out whose they are; then nothing must be done with the photo.
  static func find(
    beside places: [Walk.Found],
    _ kinds: Set<Kind>
  ) throws(FileError) -> [Found] {
    var found: [Found] = []
    var keys: Set<FileIdentity.Key> = []
    for place in places where place.mayHaveSidecar && !kinds.isEmpty {
      found += try find(beside: place.path, kinds, in: place.surroundings, &keys)
    }
    return found
  }

  private static func find(
    beside photo: FilePath,
    _ kinds: Set<Kind>,
    in surroundings: Surroundings?,
    _ keys: inout Set<FileIdentity.Key>
  ) throws(FileError) -> [Found] {
    var found: [Found] = []
    var paths: [FilePath] = []
    for (path, isStem) in names(beside: photo, in: surroundings)
    where kinds.contains(Kind(of: path)) {
      let file: SidecarFile
      do {
        guard let contents = try contents(of: path, photo) else { continue }
        file = try SidecarFile(path, of: photo, isStem, contents)
      } catch  where error is SidecarError || Kind(of: path) == .xmp {
        found.append(.unreadable(path, error))
        continue
      } catch {
        // The endings of world files are also those of other files.
        continue
      }
      // Where names differ in their case only, a file has several paths, and links may lead to it.
      guard keys.insert(file.rights.identity.key).inserted, try !path.isSameFile(asOneOf: paths)
      else { continue }
      paths.append(path)
      var owner = try file.otherOwner()
      // Of two photos, one may have a sidecar with its whole name.
      if owner == nil, !file.isWorldFile, !found.isEmpty { owner = try file.sharing() }
      found.append(owner.map { .foreign(path, $0) } ?? .file(file))
    }
    return found
  }

  /// Reads a file with the name of a sidecar.
  ///
  /// - Returns: What it has; nil if there is none, or something that no world file is under the name of one.
  static func contents(
    of path: FilePath,
    _ photo: FilePath
  ) throws(SidecarError) -> Contents? {
    do throws(FileError) {
      let reader = try FileReader(path)
      let bytes = try reader.readAll(limit: maxSize)
      let pending = PairFile(of: path, photo).pending
      return (try reader.rights(), pending ?? bytes, pending != nil)
    } catch {
      // A directory describes no photo, and the endings of world files are also those of other files.
      let isOther =
        error.problem == .isDirectory
        || error.problem == .tooLarge && Kind(of: path) == .worldFile
      guard isOther || [.notFound, .nameTooLong].contains(error.problem) else {
        throw SidecarError(error: error)
      }
      return nil
    }
  }

  /// Whether a path has an ending of sidecars.
  static func isName(_ path: FilePath) -> Bool {
    guard let ending = path.extension?.lowercased() else { return false }
    return ending == "xmp" || worldFileEndings.contains(".\(ending)")
  }

  /// Reads what is in a sidecar.
  ///
  /// - Throws: ``UprightError`` of code `malformed`.
  init(
    _ path: FilePath,
    of photo: FilePath,
    _ isStem: Bool,
    _ contents: Contents
  ) throws(UprightError) {
    (self.path, self.photo, self.isStem) = (path, photo, isStem)
    (rights, bytes, isPending) = contents
    do throws(UprightError) {
      content = try Content(bytes, of: path)
    } catch {
      throw UprightError(error.code, "\(path.escaped): \(error.message)")
    }
  }

  /// Returns the paths of the files of other kinds that may be sidecars of a photo, without reading them.
  ///
  /// - Throws: ``FileError`` if a file cannot be examined.
  static func existing(
    beside places: [Walk.Found],
    besides kinds: Set<Kind>
  ) throws(FileError) -> [FilePath] {
    var found: [FilePath] = []
    for place in places where place.mayHaveSidecar {
      for (path, _) in names(beside: place.path, in: place.surroundings)
      where !kinds.contains(Kind(of: path)) {
        guard try path.examined()?.kind == .regular, try !path.isSameFile(asOneOf: found) else {
          continue
        }
        found.append(path)
      }
    }
    return found
  }

  /// Returns the photo beside a file with the name of a sidecar; nil if there is none.
  static func photo(of path: FilePath) -> FilePath? {
    let stem = path.removingLastComponent().appending(path.stem ?? "")
    let isPromising = stem.extension.flatMap { ImageFormat.promised(byEnding: $0) } != nil
    return ((isPromising ? [stem] : []) + siblings(of: path, [.jpeg, .heic, .heif, .avif]))
      .first { $0.status?.kind == .regular }
  }

  /// Returns the possible paths of a photo's sidecars.
  static func paths(beside photo: FilePath) -> [FilePath] { names(beside: photo).map(\.path) }

  /// Returns the possible paths that surroundings do not exclude, and whether each lacks the photo's extension.
  private static func names(
    beside photo: FilePath,
    in surroundings: Surroundings? = nil
  ) -> [(path: FilePath, isStem: Bool)] {
    let found = endings.filter { surroundings?.mayHave($0) != false }
    guard let name = photo.lastComponent?.bytes, !found.isEmpty else { return [] }
    return siblings(of: photo, name, found.filter { $0 == xmpEnding }).map { ($0, false) }
      + siblings(of: photo, stem(of: name), found).map { ($0, true) }
  }

  /// Returns a name without its extension; works on bytes, because names need not be UTF-8.
  static func stem(of name: [UInt8]) -> [UInt8] {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }

  /// Returns the paths with the photo's name and the endings of some formats.
  static func siblings(
    of photo: FilePath,
    _ formats: some Sequence<ImageFormat>
  ) -> [FilePath] {
    let endings = formats.flatMap(\.endings).map { ".\($0)" }
    return siblings(of: photo, stem(of: photo.lastComponent?.bytes ?? []), endings)
  }

  /// Returns the paths of a name with some endings, each also in capitals, in the photo's directory.
  static func siblings(of photo: FilePath, _ name: [UInt8], _ endings: [String]) -> [FilePath] {
    endings.flatMap { [$0, $0.uppercased()] }.compactMap {
      sibling(of: photo, name + Array($0.utf8))
    }
  }

  /// Returns the path of a name in the photo's directory.
  static func sibling(of photo: FilePath, _ name: [UInt8]) -> FilePath? {
    FilePath.Component(bytes: name).map { photo.removingLastComponent().appending($0) }
  }

  /// Returns the replacement of the sidecar.
  func member(_ new: [UInt8]) -> PairReplacement.SidecarMember {
    .init(path: path, photo: photo, rights: rights, former: bytes, bytes: new)
  }

  /// The sidecar's path as text.
  var name: String { path.escaped }

  /// The Orientation in the sidecar, if the photo has another before a plan.
  func orientation(otherThanOf plan: Plan) -> Int? {
    orientation.flatMap { $0 == plan.image.orientation?.rawValue ?? 1 ? nil : $0 }
  }

  /// The notes on what a sidecar keeps although it may not fit the photo after a plan.
  func notes(for plan: Plan, _ options: Options) -> [Note] {
    guard case .xmp(let sidecar) = content else { return [] }
    return sidecar.notes(for: plan, options: options)
  }
}

extension Walk.Found {
  /// Whether there may be sidecars beside the photo, as far as its surroundings tell.
  var mayHaveSidecar: Bool {
    surroundings?.mayHave(anyOf: SidecarFile.endingsOfNames) ?? true
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
    self == .jpeg ? Self.sidecarsOfJPEG : isHEIF ? [.xmp] : []
  }

  private static let sidecarsOfJPEG: Set<SidecarFile.Kind> = [.xmp, .worldFile]
}
