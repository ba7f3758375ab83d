import Foundation
package import ImageOrientation

/// What djpeg decodes of an image.
///
/// It is not in a module of tests, because those are not optimized.
package struct Pixels: Equatable, Sendable {
  package var width: Int
  package var height: Int
  /// Samples a pixel: 1 or 3.
  package var depth: Int
  package var samples: [UInt8]

  /// Decodes an image; any warning of djpeg is an error.
  package init(_ jpeg: [UInt8]) throws { try self.init(pnm: try Tool.djpeg(jpeg)) }

  /// Reads a PGM or PPM without comments.
  package init(pnm file: [UInt8]) throws {
    var rest = file[...]
    try self.init(first: &rest)
    guard rest.isEmpty else { throw Tool.Failure("there are \(rest.count) more bytes") }
  }

  /// Reads PGM or PPM files that follow one another.
  package static func series(pnm files: [UInt8]) throws -> [Pixels] {
    var rest = files[...]
    var series: [Pixels] = []
    while !rest.isEmpty { series.append(try Pixels(first: &rest)) }
    return series
  }

  /// Takes the first of several files away.
  private init(first rest: inout ArraySlice<UInt8>) throws {
    // `P5` or `P6`, width, height and 255, each followed by one white space.
    let header = rest.prefix(40).split(maxSplits: 4, omittingEmptySubsequences: true) {
      $0 == 0x20 || $0 == 0x0A
    }
    let numbers = header.dropFirst().prefix(3).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard header.count == 5, numbers.count == 3, numbers[2] == 255 else {
      throw Tool.Failure("this is no PNM")
    }
    (width, height) = (numbers[0], numbers[1])
    depth = header[0].elementsEqual("P6".utf8) ? 3 : 1
    let found = rest[header[4].startIndex...].prefix(width * height * depth)
    guard found.count == width * height * depth else {
      throw Tool.Failure("there are \(found.count) bytes for \(width)×\(height)")
    }
    samples = Array(found)
    rest = rest[found.endIndex...]
  }

  /// The pixels as PGM or PPM.
  package var pnm: [UInt8] {
    Array("P\(depth == 3 ? 6 : 5) \(width) \(height) 255\n".utf8) + samples
  }

  /// The transformed pixels.
  package func transformed(by transform: OrientationTransform) -> Pixels {
    var result = self
    (result.width, result.height) = transform.size(width: width, height: height)
    for row in 0..<height {
      for column in 0..<width {
        let place = transform.destination(column: column, row: row, columns: width, rows: height)
        let (old, new) = (
          (row * width + column) * depth, (place.row * result.width + place.column) * depth
        )
        for sample in 0..<depth { result.samples[new + sample] = samples[old + sample] }
      }
    }
    return result
  }

  /// The peak signal-to-noise ratio in decibels; infinite where nothing differs, nil where the sizes do.
  package func psnr(to other: Pixels) -> Double? {
    guard (width, height, depth) == (other.width, other.height, other.depth) else { return nil }
    let squares = zip(samples, other.samples).reduce(0) { sum, pair in
      sum + (Int(pair.0) - Int(pair.1)) * (Int(pair.0) - Int(pair.1))
    }
    return Self.decibels(meanSquaredError: Double(squares) / Double(samples.count))
  }

  /// How close an image comes to another one that is transformed, in decibels.
  package static func psnr(
    of new: [UInt8],
    to old: [UInt8],
    _ transform: OrientationTransform
  ) throws -> Double {
    guard let psnr = try Pixels(new).psnr(to: Pixels(old).transformed(by: transform)) else {
      throw Tool.Failure("the image has another size")
    }
    return psnr
  }

  private static func decibels(meanSquaredError: Double) -> Double {
    meanSquaredError == 0 ? .infinity : 10 * log10(255 * 255 / meanSquaredError)
  }
}
