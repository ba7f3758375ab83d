import Fixtures
import Foundation
import ImageOrientation
import Testing

/// A program that shows a photo as its tag says, and can transform what it shows.
enum Viewer: String, CaseIterable, CustomTestStringConvertible {
  case imageMagick, pillow

  var testDescription: String { rawValue }

  /// Whether it is installed.
  var isInstalled: Bool {
    switch self {
    case .imageMagick: Self.convert != nil
    case .pillow: Self.python != nil
    }
  }

  /// ImageMagick under the name that it has here; another program may be called convert, too.
  private static let convert = ["magick", "convert", "/usr/bin/convert"].first {
    (try? Tool.run($0, ["-version"]))?.text.hasPrefix("Version: ImageMagick") == true
  }

  /// A Python with Pillow: the first of the search path may be one that Debian's packages do not reach.
  private static let python = ["python3", "/usr/bin/python3"].first {
    (try? Tool.run($0, ["-c", "import PIL.ImageOps"]))?.status == 0
  }

  /// What is stored, whatever the tag, and what is shown, transformed as the program's own operations transform it.
  func views(
    _ jpeg: [UInt8],
    then transforms: [OrientationTransform] = [.none]
  ) throws -> (stored: Pixels, shown: [Pixels]) {
    let tool: Tool
    switch self {
    case .imageMagick:
      let shown = transforms.flatMap {
        ["(", "-clone", "0", "-auto-orient"] + Self.option($0) + [")"]
      }
      tool = try Tool.run(
        Self.convert ?? "convert",
        ["jpeg:-"] + shown + ["-depth", "8", "ppm:-"],
        input: jpeg
      )
    case .pillow:
      let script = """
        import sys, io
        from PIL import Image, ImageOps
        image = Image.open(io.BytesIO(sys.stdin.buffer.read()))
        image.save(sys.stdout.buffer, 'PPM')
        image = ImageOps.exif_transpose(image)
        for name in sys.argv[1:]:
            shown = image if name == 'none' else image.transpose(getattr(Image.Transpose, name))
            shown.save(sys.stdout.buffer, 'PPM')
        """
      tool = try Tool.run(
        Self.python ?? "python3",
        ["-c", script] + transforms.map(Self.name),
        input: jpeg
      )
    }
    guard tool.status == 0 else { throw Tool.Failure("\(rawValue): \(tool.errorText)") }
    let images = try Pixels.series(pnm: tool.output)
    guard images.count == transforms.count + 1 else {
      throw Tool.Failure("\(rawValue): \(images.count) images")
    }
    return (images[0], Array(images[1...]))
  }

  /// The operation of ImageMagick.
  private static func option(_ transform: OrientationTransform) -> [String] {
    switch transform {
    case .none: []
    case .flipHorizontal: ["-flop"]
    case .flipVertical: ["-flip"]
    case .transpose, .transverse: ["-" + transform.rawValue]
    case .rotate90: ["-rotate", "90"]
    case .rotate180: ["-rotate", "180"]
    case .rotate270: ["-rotate", "270"]
    }
  }

  /// The operation of Pillow, whose angles are counter-clockwise.
  private static func name(_ transform: OrientationTransform) -> String {
    switch transform {
    case .none: "none"
    case .flipHorizontal: "FLIP_LEFT_RIGHT"
    case .flipVertical: "FLIP_TOP_BOTTOM"
    case .transpose: "TRANSPOSE"
    case .transverse: "TRANSVERSE"
    case .rotate90: "ROTATE_270"
    case .rotate180: "ROTATE_180"
    case .rotate270: "ROTATE_90"
    }
  }
}
