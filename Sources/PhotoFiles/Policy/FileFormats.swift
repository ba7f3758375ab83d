internal import FileSystem
package import ImageFormats
package import SystemPackage

/// The formats of the files that a command processes: `--formats`.
package struct FileFormats: Sendable {
  package let formats: Set<ImageFormat>

  /// Creates the set of some formats.
  package init(_ formats: Set<ImageFormat>) { self.formats = formats }

  /// All formats.
  package static let all = FileFormats(Set(ImageFormat.allCases))
  /// JPEG alone.
  package static let jpeg = FileFormats([.jpeg])

  /// Whether formats besides JPEG are processed.
  package var hasOthers: Bool { formats != [.jpeg] }

  package func contains(_ format: ImageFormat) -> Bool { formats.contains(format) }

  /// Returns whether a file with another name is one that is processed.
  @Sendable package func takes(_ path: FilePath) -> Bool {
    hasOthers ? mayContain(path) : FileReader.mayBeJPEG(at: path)
  }

  /// Returns whether a file begins like one of the formats; true also if it cannot be read, so that its reader reports
  /// why.
  package func mayContain(_ path: FilePath) -> Bool {
    let length = ImageFormat.recognizedLength
    guard let beginning = try? FileReader(path).read(at: 0, count: length) else { return true }
    return ImageFormat(beginning: beginning.span).map { formats.contains($0) } ?? false
  }
}
