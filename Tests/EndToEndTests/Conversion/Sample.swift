import Conversion
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform
import Upright

/// Images and metadata to convert.
enum Sample {
  /// An image of a smooth slope, with chroma where there is any.
  static func pixels(
    width: Int = 64,
    height: Int = 48,
    _ sampling: PixelImage.Sampling = .halved
  ) -> PixelImage {
    var image = PixelImage(
      size: PixelSize(width: width, height: height),
      sampling: sampling,
      planes: []
    )
    image.planes = (0..<sampling.planeCount).map { index in
      let size = image.planeSize(index)
      return (0..<size.width * size.height).map { place in
        let (x, y) = (place % size.width, place / size.width)
        guard index == 0 else { return UInt8(120 + 10 * index + 8 * x / size.width) }
        return UInt8(60 + 80 * x / size.width + 50 * y / size.height)
      }
    }
    return image
  }

  /// An image without metadata.
  static func photo(_ pixels: PixelImage = pixels()) -> DecodedImage {
    DecodedImage(pixels: pixels, stored: pixels.size)
  }

  /// The Exif block of a JPEG fixture.
  static func exif(_ fixture: String) throws -> [UInt8] {
    let bytes = try Fixture.bytes(fixture)
    let segment = try #require(
      try Container(bytes.span).segments(.exif, in: bytes.span).first
    )
    return Array(bytes[segment.payload].dropFirst(6))
  }
}

extension Converter {
  /// Converts what must not be skipped.
  func file(of photo: DecodedImage) throws -> ConvertedImage {
    guard case .converted(let result) = try convert(photo) else {
      throw Tool.Failure("the image was skipped")
    }
    return result
  }

  /// Why an image is skipped.
  func reason(toSkip photo: DecodedImage) throws -> String? {
    guard case .skipped(let reason) = try convert(photo) else { return nil }
    return reason.code.rawValue
  }
}

/// What exiftool reads of a file.
func exiftool(_ file: [UInt8], _ options: String...) throws -> Tool {
  let scratch = try Scratch()
  return try Tool.run("exiftool", options + [try scratch.write(file, to: "image.jpg")])
}

/// An image as djpeg decodes it.
struct ImageInfo {
  var width: Int
  var height: Int
  /// Samples a pixel: 1 or 3.
  var depth: Int
  var samples: [UInt8]

  init(_ jpeg: [UInt8]) throws {
    let file = try Tool.djpeg(jpeg)
    let header = file.prefix(40).split(maxSplits: 4, omittingEmptySubsequences: true) {
      $0 == 0x20 || $0 == 0x0A
    }
    let numbers = header.dropFirst().prefix(2).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    (width, height) = (try #require(numbers.first), try #require(numbers.last))
    depth = header[0].elementsEqual("P6".utf8) ? 3 : 1
    samples = Array(file[header[4].startIndex...])
  }

  /// Red, green and blue.
  func color(x: Int, y: Int) -> [Int] {
    let start = (y * width + x) * depth
    return samples[start..<start + depth].map { Int($0) }
  }
}
