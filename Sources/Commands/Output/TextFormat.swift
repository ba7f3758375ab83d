internal import Conversion
internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import TurboTransform
internal import Upright

/// The text of reports for people.
enum TextFormat {
  /// Returns what is or was done, as in `rotated 90° clockwise, lossless (96×64 → 64×96)`.
  static func action(_ report: FileReport) -> String {
    switch report.result {
    case .failed(let error): "error: \(error.text)"
    case .interrupted: "interrupted by a signal: nothing was replaced"
    case .planned(let plan):
      action(plan, report)
        + (plan.action.rewrites
          ? report.expectedName.map { "; the name should be \($0)" } ?? "" : "")
    case .done(let outcome):
      action(outcome.plan, report)
        + (report.lacksUndo ? "; there is no undo data: keep a copy of the original" : "")
    case .undo(let undo): action(undo)
    case .conversion(let conversion): action(conversion)
    }
  }

  private static func action(_ undo: FileReport.Undo) -> String {
    let sizes = undo.original.map { " (\($0.oldSize) → \($0.size) bytes)" } ?? ""
    let text =
      switch undo.status {
      case .restored: "restored, byte for byte"
      case .restorable: "can be restored, byte for byte"
      case .stripped: "undo data removed, otherwise unchanged"
      case .planned: "undo data can be removed"
      default: undo.status.rawValue
      }
    return text + (undo.reason.map { ": \($0.explanation)" } ?? sizes)
  }

  private static func action(_ conversion: FileReport.Conversion) -> String {
    switch conversion.outcome {
    case .skipped(let reason): return "skipped: \(reason.explanation)"
    case .converted(let image):
      let verb = conversion.isDry ? "can be converted" : "converted"
      let transform =
        image.transform == .none ? "" : ", \(past(image.transform)) as specified in the file"
      return "\(verb) with quality \(image.quality), \(image.sampling.rawValue), not lossless"
        + "\(transform) (\(image.size.width)×\(image.size.height), \(image.bytes.count) bytes)"
    }
  }

  private static func action(_ plan: Plan, _ report: FileReport) -> String {
    let done = report.isDone
    switch plan.action {
    case .unchanged(let reason):
      return (plan.image.isUpright ? "already upright: " : "unchanged: ") + reason.explanation
    case .skip(let reason): return "skipped: \(reason.explanation)"
    case .resetTag: return done ? "Orientation set to 1, image unchanged" : "set Orientation to 1"
    case .changeTag(let orientation?):
      let value = orientation.rawValue
      return done ? "Orientation set to \(value), image unchanged" : "set Orientation to \(value)"
    case .changeTag(nil):
      return done ? "Orientation removed, image unchanged" : "remove Orientation"
    case .transform(let transform, let edges):
      if let crop = plan.crop, plan.isCropped {
        return self.crop(crop, transform, edges, plan.image, report)
      }
      if plan.image.format != .jpeg { return self.displayed(transform, of: plan.image, done: done) }
      let words = self.words(transform, of: plan.image, done: done)
      let (before, after) = sizes(plan.image, transform, edges)
      let size =
        before == after ? "(\(before))" : "(\(before) → \(after))"
      return "\(words), \(self.edges(edges, report)) \(size)" + cost(edges, report)
    }
  }

  /// Returns a crop, as in `cropped to 1008x752+0+16 instead of 1000x750+8+18, rotated 90° clockwise, lossless`.
  private static func crop(
    _ crop: Crop,
    _ transform: OrientationTransform,
    _ edges: Edges,
    _ image: ImageInfo,
    _ report: FileReport
  ) -> String {
    let done = report.isDone
    var words = [(done ? "cropped to " : "crop to ") + "\(crop.result)"]
    if crop.result != crop.requested { words[0] += " instead of \(crop.requested)" }
    if transform != .none { words.append(self.words(transform, of: image, done: done)) }
    let size = transform.size(of: image.size)
    return words.joined(separator: ", ")
      + ", \(self.edges(edges, report)) (\(size.width)×\(size.height) → \(crop.result.width)×\(crop.result.height))"
  }

  private static func words(
    _ transform: OrientationTransform,
    of image: ImageInfo,
    done: Bool
  ) -> String {
    func words(_ transform: OrientationTransform) -> String {
      done ? past(transform) : transform.description
    }
    let displayed = image.displayed(transform)
    return displayed == .none || displayed == transform
      ? words(transform) : "\(words(displayed)) as displayed (\(words(transform)) as stored)"
  }

  /// Returns a change of the properties of a HEIF file, as in `rotated 90° clockwise by irot and imir, no sample changed
  /// (64×96 → 96×64)`, with the displayed sizes.
  private static func displayed(
    _ transform: OrientationTransform,
    of image: ImageInfo,
    done: Bool
  ) -> String {
    func size(_ transform: OrientationTransform) -> String {
      let size = transform.size(of: image.size)
      return "\(size.width)×\(size.height)"
    }
    // Orientation that is trusted was not yet displayed.
    let added = image.displayed(transform)
    let before = added == .none ? .none : image.orientation?.transform ?? .none
    let shown = before.inverse.then(transform)
    return (done ? past(shown) : shown.description) + " by irot and imir, "
      + (done ? "no sample changed" : "no sample changes")
      + " (\(size(before)) → \(size(transform)))"
  }

  /// Returns the treatment of the edges: `lossless`, `re-encoded: luma lossless, chroma 52.1 dB`, or what is
  /// trimmed.
  private static func edges(_ edges: Edges, _ report: FileReport) -> String {
    switch edges {
    case .lossless:
      let others = Set(
        (report.plan?.embeddedImages ?? []).filter { $0.disposition == .reencoded }.map {
          $0.role.rawValue
        }
      ).sorted()
      guard !others.isEmpty else { return "lossless" }
      let names = others.joined(separator: " and the ")
      return "lossless except for the \(names) (\(report.isDone ? "" : "would be ")re-encoded)"
    case .reencoded(let kept, let count):
      let verb = report.isDone ? "re-encoded" : "would be re-encoded"
      let psnr = report.redraw.map { $0.psnr.isFinite ? "\(tenths($0.psnr)) dB" : "no difference" }
      let names = { (components: [Int]) in
        components == [0] ? "luma" : components.contains(0) ? "some components" : "chroma"
      }
      let others = (0..<count).filter { !kept.contains($0) }
      let parts =
        kept.isEmpty
        ? [psnr] : ["\(names(kept)) lossless", psnr.map { "\(names(others)) \($0)" }]
      let text = parts.compactMap(\.self).joined(separator: ", ")
      return text.isEmpty ? verb : "\(verb): \(text)"
    case .trimmed(let trimmed):
      return "trimmed by "
        + [(trimmed.columns, "column"), (trimmed.rows, "row")].filter { $0.0 > 0 }
        .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
    }
  }

  /// Returns the change of the file's size by re-encoding, as in `, 1.2 → 1.6 MB`.
  private static func cost(_ edges: Edges, _ report: FileReport) -> String {
    guard case .reencoded = edges, let sizes = report.sizes else { return "" }
    return ", " + self.sizes(sizes.before, sizes.after)
  }

  /// Returns the details of re-encoding, as in `largest error 4 of 255, …`.
  static func redraw(_ redraw: RedrawReport) -> String {
    "re-encoding: largest error \(redraw.largestError) of 255; "
      + "image data \(redraw.sizeBefore) → \(redraw.sizeAfter) bytes"
  }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  /// Returns the disposition of an image in the file as text.
  static func disposition(_ disposition: EmbeddedImage.Disposition) -> String {
    switch disposition {
    case .transformed: "transformed with the image, lossless"
    case .reencoded: "transformed with the image, re-encoded"
    case .regenerated: "regenerated from the cropped image"
    case .removed: "removed"
    case .kept: "unchanged"
    case .stale: "unchanged, still as stored before"
    }
  }

  private static func sizes(
    _ image: ImageInfo,
    _ transform: OrientationTransform,
    _ edges: Edges
  ) -> (String, String) {
    var (width, height) = (image.size.width, image.size.height)
    let before = "\(width)×\(height)"
    if case .trimmed(let trimmed) = edges {
      (width, height) = (width - trimmed.columns, height - trimmed.rows)
    }
    let after = transform.size(width: width, height: height)
    return (before, "\(after.width)×\(after.height)")
  }

  private static func past(_ transform: OrientationTransform) -> String {
    switch transform {
    case .none: "not rotated"
    case .flipHorizontal: "flipped horizontally"
    case .rotate180: "rotated 180°"
    case .flipVertical: "flipped vertically"
    case .transpose: "transposed"
    case .rotate90: "rotated 90° clockwise"
    case .transverse: "transversed"
    case .rotate270: "rotated 90° counter-clockwise"
    }
  }

  /// Returns a path for a terminal, with control characters and bytes that are not UTF-8 escaped.
  static func path(_ path: FilePath) -> String { path.escaped }

  /// Returns a word quoted for a shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "-_./=+:,@%…".unicodeScalars.contains($0)
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }

  /// Returns arguments as one line, quoted for a shell.
  static func commandLine(_ arguments: [String]) -> String {
    arguments.map { quoted(path(ArgumentPath.path($0))) }.joined(separator: " ")
  }

  /// Returns a text with control characters escaped.
  static func escaped(_ text: String) -> String { text.escaped }

  /// Returns `text` padded with spaces to a width in columns of a terminal.
  static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - self.width(text)))
  }

  /// Returns `text` with spaces before it up to a width in columns, at least one.
  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  /// Returns the width of a text in columns of a terminal: two for each wide character.
  static func width(_ text: String) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.first.map(isWide) == true ? 2 : 1) }
  }

  /// Whether a character takes two columns.
  ///
  /// Source: Unicode Standard Annex #11, blocks of wide and fullwidth characters.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Returns two numbers of bytes in the unit of the second, as in `6.4 → 9.5 MB`.
  static func sizes(_ before: Int, _ after: Int) -> String {
    let (first, second) = (Survey.size(before), Survey.size(after))
    let units = (first.split(separator: " ").last, second.split(separator: " ").last)
    return units.0 == units.1
      ? "\(first.prefix { $0 != " " }) → \(second)" : "\(first) → \(second)"
  }
}

extension String {
  /// Returns the text padded with zeros on the left to `length` characters.
  func leftPadded(to length: Int) -> String {
    String(repeating: "0", count: max(0, length - count)) + self
  }
}
