internal import Conversion
internal import FileBytes
internal import ImageOrientation
internal import Reports
internal import TurboTransform
internal import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The answer of a process that decodes an image: the image, or an error.
///
/// Its bytes are the length of a JSON object in four bytes, the object, and the data whose lengths it gives. They come
/// from a process that read a file from a stranger, so everything is checked when they are read.
enum DecoderMessage {
  private struct Header: Decodable, JSONObject {
    var error: Failure?
    var image: Image?

    func writeFields(to json: inout JSONWriter) {
      json.field("error", error)
      json.field("image", image)
    }
  }

  private struct Failure: Decodable, JSONObject {
    var code: String
    var offset: Int?
    var message: String

    func writeFields(to json: inout JSONWriter) {
      json.field("code", code)
      json.field("message", message)
      json.field("offset", offset)
    }
  }

  private struct Image: Decodable, JSONObject {
    struct Loss: Decodable, JSONObject {
      var kind: String
      var text: String

      func writeFields(to json: inout JSONWriter) {
        json.field("kind", kind)
        json.field("text", text)
      }
    }

    struct Color: Decodable, JSONObject {
      var primaries: Int
      var transfer: Int

      func writeFields(to json: inout JSONWriter) {
        json.field("primaries", primaries)
        json.field("transfer", transfer)
      }
    }

    var width: Int
    var height: Int
    var sampling: String
    var transform: String
    var storedWidth: Int
    var storedHeight: Int
    var exif: Int?
    var xmp: Int?
    var profile: Int?
    var color: Color?
    var losses: [Loss]

    func writeFields(to json: inout JSONWriter) {
      json.field("color", color)
      json.field("exif", exif)
      json.field("height", height)
      json.field("losses", losses)
      json.field("profile", profile)
      json.field("sampling", sampling)
      json.field("storedHeight", storedHeight)
      json.field("storedWidth", storedWidth)
      json.field("transform", transform)
      json.field("width", width)
      json.field("xmp", xmp)
    }
  }

  /// The maximum length of everything but the samples.
  static let maxOverhead = 1 << 28

  /// Returns the message of an error.
  static func bytes(of error: UprightError) -> [UInt8] {
    bytes(
      Header(
        error: Failure(code: error.code.rawValue, offset: error.offset, message: error.message)
      ),
      []
    )
  }

  /// Returns the message of an image.
  static func bytes(of image: DecodedImage) -> [UInt8] {
    let (size, stored) = (image.pixels.size, image.stored)
    var description = Image(
      width: size.width,
      height: size.height,
      sampling: image.pixels.sampling.rawValue,
      transform: image.transform.rawValue,
      storedWidth: stored.width,
      storedHeight: stored.height,
      exif: image.exif?.count,
      xmp: image.xmp?.count,
      losses: image.losses.map { Image.Loss(kind: $0.kind.rawValue, text: $0.text) }
    )
    var data = image.pixels.planes + [image.exif, image.xmp].compactMap(\.self)
    switch image.color {
    case .unspecified: break
    case .profile(let profile):
      description.profile = profile.count
      data.append(profile)
    case .codePoints(let points):
      description.color = Image.Color(primaries: points.primaries, transfer: points.transfer)
    }
    return bytes(Header(image: description), data)
  }

  private static func bytes(_ header: Header, _ data: [[UInt8]]) -> [UInt8] {
    let text = header.jsonBytes
    var result = UInt32(text.count).bytes(.big)
    result.reserveCapacity(4 + text.count + data.reduce(0) { $0 + $1.count })
    result += text
    for part in data { result += part }
    return result
  }

  /// Returns the image of a message, or nil if the bytes are not a whole message.
  ///
  /// - Throws: The error of the message.
  static func image(of bytes: [UInt8], maxPixels: Int) throws(UprightError) -> DecodedImage? {
    guard let length = bytes.span.uint32(at: 0)?.length, length <= bytes.count - 4,
      let header = try? JSONDecoder().decode(Header.self, from: Data(bytes[4..<4 + length]))
    else { return nil }
    if let error = header.error {
      throw UprightError(UprightError.Code(rawValue: error.code), at: error.offset, error.message)
    }
    guard let image = header.image else { return nil }
    return decoded(image, bytes[(4 + length)...], maxPixels)
  }

  private static func decoded(
    _ image: Image,
    _ data: ArraySlice<UInt8>,
    _ maxPixels: Int
  ) -> DecodedImage? {
    let sides = [image.width, image.height, image.storedWidth, image.storedHeight]
    guard sides.allSatisfy({ (1..<1 << 24).contains($0) }), image.width * image.height <= maxPixels,
      let sampling = PixelImage.Sampling(rawValue: image.sampling),
      let transform = OrientationTransform(rawValue: image.transform)
    else { return nil }
    var rest = data
    func take(_ count: Int?) -> [UInt8]? {
      guard let count, count >= 0, count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    var pixels = PixelImage(
      size: PixelSize(width: image.width, height: image.height),
      sampling: sampling,
      planes: []
    )
    for index in 0..<sampling.planeCount {
      let size = pixels.planeSize(index)
      guard let plane = take(size.width * size.height) else { return nil }
      pixels.planes.append(plane)
    }
    var result = DecodedImage(
      pixels: pixels,
      stored: PixelSize(width: image.storedWidth, height: image.storedHeight)
    )
    result.transform = transform
    result.exif = take(image.exif)
    result.xmp = take(image.xmp)
    if let profile = take(image.profile) {
      result.color = .profile(profile)
    } else if let color = image.color {
      result.color = .codePoints(
        ColorCodePoints(primaries: color.primaries, transfer: color.transfer)
      )
    }
    for loss in image.losses {
      guard let kind = Loss.Kind(rawValue: loss.kind) else { return nil }
      result.losses.append(Loss(kind, loss.text))
    }
    let isWhole =
      rest.isEmpty && (result.exif?.count, result.xmp?.count) == (image.exif, image.xmp)
    return isWhole ? result : nil
  }
}
