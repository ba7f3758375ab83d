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

  /// What is stored, whatever the tag.
  func stored(_ jpeg: [UInt8]) throws -> Pixels { try run(jpeg, "", []) }

  /// What is shown, transformed as the program's own operations transform it.
  func shown(_ jpeg: [UInt8], then transform: OrientationTransform = .none) throws -> Pixels {
    switch self {
    case .imageMagick:
      let operation =
        switch transform {
        case .none: [String]()
        case .flipHorizontal: ["-flop"]
        case .flipVertical: ["-flip"]
        case .transpose, .transverse: ["-" + transform.rawValue]
        case .rotate90: ["-rotate", "90"]
        case .rotate180: ["-rotate", "180"]
        case .rotate270: ["-rotate", "270"]
        }
      return try run(jpeg, "", ["-auto-orient"] + operation)
    case .pillow:
      let operation: String? =
        switch transform {
        case .none: nil
        case .flipHorizontal: "FLIP_LEFT_RIGHT"
        case .flipVertical: "FLIP_TOP_BOTTOM"
        case .transpose: "TRANSPOSE"
        case .transverse: "TRANSVERSE"
        // Counter-clockwise.
        case .rotate90: "ROTATE_270"
        case .rotate180: "ROTATE_180"
        case .rotate270: "ROTATE_90"
        }
      let transformed =
        operation.map { "\nimage = image.transpose(Image.Transpose.\($0))" } ?? ""
      return try run(jpeg, "\nimage = ImageOps.exif_transpose(image)" + transformed, [])
    }
  }

  private func run(_ jpeg: [UInt8], _ python: String, _ options: [String]) throws -> Pixels {
    let tool: Tool
    switch self {
    case .imageMagick:
      tool = try Tool.run(
        Self.convert ?? "convert",
        ["jpeg:-"] + options + ["-depth", "8", "ppm:-"],
        input: jpeg
      )
    case .pillow:
      let script =
        "import sys, io\nfrom PIL import Image, ImageOps\n"
        + "image = Image.open(io.BytesIO(sys.stdin.buffer.read()))" + python
        + "\nimage.save(sys.stdout.buffer, 'PPM')"
      tool = try Tool.run(Self.python ?? "python3", ["-c", script], input: jpeg)
    }
    guard tool.status == 0 else { throw Tool.Failure("\(rawValue): \(tool.errorText)") }
    return try Pixels(pnm: tool.output)
  }
}
