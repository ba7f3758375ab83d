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
  private var transforms: [FilePath: OrientationTransform] = [:]

  private static let angles: [String: OrientationTransform] = [
    "0": .none, "90": .rotate90, "180": .rotate180, "270": .rotate270,
  ]
  /// The maximum length of a line: a path, and what may be written instead of an angle.
  private static let maxLineLength = PathList.maxPathLength + 80

  /// Reads a list.
  ///
  /// - Throws: ``FileError``, or `ValidationError` for a line that is wrong.
  init(_ source: FilePath, endingWith terminator: UInt8) throws {
    let name = source == StandardStreams.path ? "standard input" : TextFormat.path(source)
    var numbers: [FilePath: Int] = [:]
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
      guard line.isWhole, let transform = Self.angles[word] else {
        throw fail("the angle must be 0, 90, 180 or 270, not \"\(TextFormat.escaped(word))\".")
      }
      guard tab - bytes.startIndex <= PathList.maxPathLength,
        let path = FilePath(bytes: Array(bytes[..<tab]))
      else { throw fail("this is not a path.") }
      // "photo.jpg" and "./photo.jpg" are one file.
      let key = path.lexicallyNormalized()
      guard let earlier = transforms.updateValue(transform, forKey: key) else {
        numbers[key] = line.number
        paths.append(path)
        continue
      }
      guard earlier == transform else {
        throw fail(
          "\(TextFormat.path(path)) has another angle in line \(numbers[key] ?? 0). Keep one of the two."
        )
      }
    }
  }

  /// The rotation of a file of the list.
  func transform(of path: FilePath) -> OrientationTransform {
    transforms[path.lexicallyNormalized()] ?? .none
  }
}
