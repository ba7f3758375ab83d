internal import ArgumentParser
internal import FileSystem
internal import ImageOrientation
internal import SystemPackage

/// The files of `rotate --angles-from` and the angles that somebody decided for them.
///
/// The whole list is read before the first file, so that nothing is written if a line is wrong.
struct AngleList: Sendable {
  /// The paths in their order, each once.
  private(set) var paths: [FilePath] = []
  /// The transforms of the paths.
  private var transforms: [FilePath: OrientationTransform] = [:]

  private static let angles: OrientationTransform.Words =
    [("0", .none)] + OrientationTransform.angles
  /// The maximum length of a line: a path, and what may be written instead of an angle.
  private static let maxLineLength = PathList.maxPathLength + 80

  /// Reads a list; throws ``FileError``, or `ValidationError` for a line that is wrong.
  ///
  /// If files are replaced in place, a symbolic link and its target are one file.
  init(_ source: FilePath, endingWith terminator: UInt8, isInPlace: Bool) throws {
    let name = source == StandardStreams.path ? "standard input" : TextFormat.path(source)
    let base = try workingDirectory()
    // The lines and transforms by files, each of which may have several paths.
    var known: [FilePath: (line: Int, transform: OrientationTransform)] = [:]
    for line in Lines(source, endingWith: terminator, limit: Self.maxLineLength) {
      let line = try line.get()
      func fail(_ problem: String) -> ValidationError {
        ValidationError("\(name), line \(line.number): \(problem) No file was changed.")
      }
      var bytes = line.bytes[...]
      // Lists from Windows have CR LF.
      if terminator != 0, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      if bytes.isEmpty { continue }
      guard let tab = bytes.lastIndex(of: UInt8(ascii: "\t")), tab > bytes.startIndex else {
        throw fail("a line consists of a path, a tab and an angle.")
      }
      let word = String(decoding: bytes[(tab + 1)...], as: UTF8.self)
      guard line.isWhole, let transform = Self.angles.first(where: { $0.name == word })?.value
      else {
        throw fail("the angle must be 0, 90, 180 or 270, not \"\(TextFormat.escaped(word))\".")
      }
      guard tab - bytes.startIndex <= PathList.maxPathLength,
        let path = FilePath(bytes: Array(bytes[..<tab]))
      else { throw fail("this is not a path.") }
      let file = Self.file(path, base, isInPlace)
      guard let earlier = known[file] else {
        known[file] = (line.number, transform)
        transforms[path] = transform
        paths.append(path)
        continue
      }
      guard earlier.transform == transform else {
        throw fail(
          "\(TextFormat.path(path)) has another angle in line \(earlier.line). Keep one of the two."
        )
      }
    }
  }

  /// Returns one path for all paths of a file.
  private static func file(_ path: FilePath, _ base: FilePath, _ isInPlace: Bool) -> FilePath {
    // A file that does not exist is reported by the work on it.
    if isInPlace, let target = try? Syscalls.resolve(path) { return target }
    let folder = path.removingLastComponent()
    let name = path.lastComponent.map { FilePath(root: nil, [$0]) } ?? ""
    if let folder = try? Syscalls.resolve(folder.isEmpty ? "." : folder) {
      return folder.pushing(name).lexicallyNormalized()
    }
    return base.pushing(path).lexicallyNormalized()
  }

  /// The rotation of a file of the list.
  func transform(of path: FilePath) -> OrientationTransform {
    transforms[path] ?? .none
  }
}
