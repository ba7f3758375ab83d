package import ImageFormats

/// An opened file of any format that can have an orientation.
///
/// It is indirect, because what was read of a file is large. Work on JPEG files takes their part of it.
package indirect enum Photo: Sendable {
  case jpeg(JPEGPhoto)
  /// A file of which only what it states about its orientation is read and changed.
  case other(OrientationStatements)

  /// The result of work that may need more of the file.
  package enum Step<Value> {
    case done(Value)
    case needs(Need)
  }

  /// What work needs of the file.
  package enum Need: Error {
    case bytes(Range<Int>)
    /// The offset of the first occurrence of a mark in a range.
    case mark(StaticString, in: Range<Int>)
  }

  /// The JPEG file; nil for another format.
  var jpeg: JPEGPhoto? {
    get { if case .jpeg(let photo) = self { photo } else { nil } }
    set { if let newValue { self = .jpeg(newValue) } }
  }

  package var format: ImageFormat {
    switch self {
    case .jpeg: .jpeg
    case .other(let statements): statements.image.format
    }
  }

  /// The size of the file in bytes, or nil if it is unknown.
  package var size: Int? {
    switch self {
    case .jpeg(let photo): photo.size
    case .other(let statements): statements.size
    }
  }

  package var image: ImageInfo {
    switch self {
    case .jpeg(let photo): photo.image
    case .other(let statements): statements.info
    }
  }

  /// Whether the file holds the data to undo its last rewrite.
  package var holdsUndoData: Bool { jpeg?.holdsUndoData == true }

  /// The images and videos in the file besides the primary image, with all XMP packets that were read; none of other formats.
  var images: [EmbeddedImage] {
    jpeg.map { EmbeddedImage.all(in: $0.header, $0.bytes.span) } ?? []
  }

  /// Returns why no decoder can show the image of a HEIF file; nil if one may, or in another format.
  func damage(in file: [UInt8]) -> String? {
    if case .other(let statements) = self { statements.image.damage(in: file) } else { nil }
  }

  /// Returns the photo with all XMP packets that a rewrite reads or changes.
  func withAllXMP() -> Photo {
    var photo = self
    photo.jpeg?.readAllXMP()
    return photo
  }

  /// Returns the photo with the rest of its file; nil if what was read is not of this file.
  func completed(with file: [UInt8]) throws(UprightError) -> Photo? {
    switch self {
    case .jpeg(let photo): try photo.completed(with: file).map { .jpeg($0) }
    case .other(let statements): statements.isRead(from: file) ? self : nil
    }
  }
}

/// Files in memory.
extension Photo {
  /// Opens a file in memory, of which only the header is read.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - formats: The formats that are taken.
  /// - Throws: ``UprightError``; of code `not-jpeg` for a file of another format.
  init(leading file: [UInt8], taking formats: Set<ImageFormat>) throws(UprightError) {
    do throws(ReadingError<Never>) {
      self = try PhotoReader.open(file, size: file.count, taking: formats) {
        (offset, count) throws(Never) in Array(file.dropFirst(offset).prefix(count))
      }
    } catch {
      switch error {
      case .content(let error): throw error
      }
    }
  }

  /// Opens a whole file in memory.
  init(_ file: [UInt8], taking formats: Set<ImageFormat>) throws(UprightError) {
    self = try Photo(leading: file, taking: formats)
    try jpeg?.readRest()
  }
}

extension Photo.Step {
  /// The value of work on a file that is in memory, or of unknown size, which needs nothing else.
  var value: Value {
    guard case .done(let value) = self else {
      preconditionFailure("work on a file in memory needs no further bytes")
    }
    return value
  }
}
