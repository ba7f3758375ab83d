internal import Conversion
internal import ImageOrientation
internal import JPEGCore
internal import SystemPackage
internal import TurboTransform
internal import Upright

/// The words for people.
enum TextFormat {
  /// What is or was done, as in `rotated 90° clockwise, lossless (96×64 → 64×96)`.
  static func action(_ report: FileReport) -> String {
    switch report.result {
    case .failed(let failure): "failed: \(failure.message)"
    case .planned(let plan): action(plan, done: false)
    case .done(let outcome): action(outcome.plan, done: true)
    case .undo(let undo): action(undo)
    case .conversion(let conversion): action(conversion)
    }
  }

  private static func action(_ undo: FileReport.Undo) -> String {
    let sizes = undo.original.map { " (\($0.oldSize) → \($0.size) bytes)" } ?? ""
    return switch undo.fate {
    case .restored: "restored, byte for byte" + sizes
    case .restorable: "can be restored, byte for byte" + sizes
    case .nothing(let reason): "nothing to do: \(reason.explanation)"
    case .left(let reason): "left alone: \(reason.explanation)"
    }
  }

  private static func action(_ conversion: FileReport.Conversion) -> String {
    switch conversion.outcome {
    case .left(let reason): return "left alone: \(reason.explanation)"
    case .converted(let picture):
      let verb = conversion.isDry ? "can be converted" : "converted"
      let turn = picture.turn == .none ? "" : ", \(past(picture.turn)) as the file says"
      return "\(verb) with quality \(picture.quality), \(picture.sampling.rawValue), not lossless"
        + "\(turn) (\(picture.size.width)×\(picture.size.height), \(picture.bytes.count) bytes)"
    }
  }

  private static func action(_ plan: Plan, done: Bool) -> String {
    switch plan.action {
    case .nothing(let reason): return "nothing to do: \(reason.explanation)"
    case .leave(let reason): return "left alone: \(reason.explanation)"
    case .resetTag: return done ? "Orientation set to 1, picture kept" : "set Orientation to 1"
    case .changeTag(let orientation?):
      let value = orientation.rawValue
      return done ? "Orientation set to \(value), picture kept" : "set Orientation to \(value)"
    case .changeTag(nil):
      return done ? "Orientation removed, picture kept" : "remove Orientation"
    case .turn(let turn, let edges):
      if let crop = plan.crop, plan.isCropped {
        return self.crop(crop, turn, edges, plan.picture, done: done)
      }
      let words = self.words(turn, of: plan.picture, done: done)
      let (before, after) = sizes(plan.picture, turn, edges)
      let size =
        before == after ? "(\(before))" : "(\(before) → \(after))"
      return "\(words), \(self.edges(edges)) \(size)"
    }
  }

  /// A crop, as in `cropped to 1008x752+0+16 instead of 1000x750+8+18, rotated 90° clockwise, lossless`.
  private static func crop(
    _ crop: Crop,
    _ turn: Turn,
    _ edges: Edges,
    _ picture: Picture,
    done: Bool
  ) -> String {
    var words = [(done ? "cropped to " : "crop to ") + "\(crop.result)"]
    if crop.result != crop.requested { words[0] += " instead of \(crop.requested)" }
    if turn != .none { words.append(self.words(turn, of: picture, done: done)) }
    let size = turn.size(width: picture.width, height: picture.height)
    return words.joined(separator: ", ")
      + ", \(self.edges(edges)) (\(size.width)×\(size.height) → \(crop.result.width)×\(crop.result.height))"
  }

  private static func words(_ turn: Turn, of picture: Picture, done: Bool) -> String {
    func words(_ turn: Turn) -> String { done ? past(turn) : turn.description }
    let seen = picture.seen(turn)
    return seen == .none || seen == turn
      ? words(turn) : "\(words(seen)) as seen (\(words(turn)) as stored)"
  }

  /// What becomes of the edges: `lossless`, or what is cut off.
  static func edges(_ edges: Edges) -> String {
    switch edges {
    case .exact: "lossless"
    case .redrawn(let kept, let count):
      kept.isEmpty
        ? "redrawn" : "redrawn but for \(kept.count) of \(count) components, which are exact"
    case .trimmed(let trimmed):
      "trimmed by "
        + [(trimmed.columns, "column"), (trimmed.rows, "row")].filter { $0.0 > 0 }
        .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
    }
  }

  /// How close a redraw came and what it costs, as in `55.5 dB, largest error 4 of 255, …`.
  static func redraw(_ redraw: RedrawReport) -> String {
    let psnr =
      redraw.psnr.isFinite
      ? "\((redraw.psnr * 10).rounded() / 10) dB, largest error \(redraw.largestError) of 255"
      : "no difference"
    let text = "the redraw: \(psnr); picture data \(redraw.sizeBefore) → \(redraw.sizeAfter) bytes"
    // A crop has no record.
    guard redraw.exceptionBytes > 0 else { return text }
    return text
      + "; its record would hold \(redraw.exceptions) exceptions in \(redraw.exceptionBytes) bytes"
  }

  /// What becomes of a picture in the file.
  static func fate(_ fate: EmbeddedPicture.Fate) -> String {
    switch fate {
    case .turned: "turned with the picture, lossless"
    case .redrawn: "turned with the picture, redrawn"
    case .renewed: "made anew from the cropped picture"
    case .removed: "removed"
    case .kept: "kept as it is"
    case .stale: "kept, although it shows the picture as it was stored"
    }
  }

  private static func sizes(_ picture: Picture, _ turn: Turn, _ edges: Edges) -> (String, String) {
    var (width, height) = (picture.width, picture.height)
    let before = "\(width)×\(height)"
    if case .trimmed(let trimmed) = edges {
      (width, height) = (width - trimmed.columns, height - trimmed.rows)
    }
    let after = turn.size(width: width, height: height)
    return (before, "\(after.width)×\(after.height)")
  }

  private static func past(_ turn: Turn) -> String {
    switch turn {
    case .none: "left as it is"
    case .flipHorizontal: "flipped horizontally"
    case .rotate180: "rotated 180°"
    case .flipVertical: "flipped vertically"
    case .transpose: "transposed"
    case .rotate90: "rotated 90° clockwise"
    case .transverse: "transversed"
    case .rotate270: "rotated 90° counter-clockwise"
    }
  }

  /// A path as a terminal may show it: control characters and bytes that are no UTF-8 escaped.
  static func path(_ path: FilePath) -> String { escaped(path.string) }

  /// A text without control characters.
  static func escaped(_ text: String) -> String {
    // Most texts are ASCII that can be printed.
    guard text.utf8.contains(where: { !(0x20..<0x7F).contains($0) }),
      text.unicodeScalars.contains(where: isControl)
    else { return text }
    return text.unicodeScalars.map { scalar in
      isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }

  /// `text` filled up with spaces to a width in characters.
  static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension String {
  /// The text behind as many zeros as it needs to be `length` characters long.
  func leftPadded(to length: Int) -> String {
    String(repeating: "0", count: max(0, length - count)) + self
  }
}
