import Fixtures
import ImageOrientation
import JPEGCore
import Upright

extension RewriteCheck {
  /// How close, in decibels, djpeg's pixels of a redraw of the standard quality must come.
  private static let psnr = 34.0

  /// The pixels are close to those of the transformed original, and components that are reported as lossless are.
  mutating func checkRedraw(kept: [Int], of count: Int) throws {
    if hasPixels { try checkPixels() }
    require(count == original.frame.components.count, "there are not \(count) components")
    require(kept.count < count, "nothing is re-encoded")
    let expected = try original.coefficients(transform: transform)
    let found = try result.coefficients()
    require(
      found.planes == expected.planes,
      "the blocks are not arranged as in the transformed frame"
    )
    guard found.planes == expected.planes else { return }
    let (oldTables, newTables) = (original.quantization(), result.quantization())
    for index in expected.planes.indices {
      let isSame = found.component(index) == expected.component(index)
      require(!kept.contains(index) || isSame, "component \(index) is not lossless")
      let table =
        transform.transposes ? Zigzag.transposed.map { oldTables[index][$0] } : oldTables[index]
      let isFine = zip(newTables[index], table).allSatisfy { $0 <= $1 }
      require(
        kept.contains(index) ? newTables[index] == table : isFine,
        "component \(index) is quantized more coarsely, or differently although it is lossless"
      )
    }
    checkReport()
  }

  /// djpeg's pixels are close to the transformed ones of the original.
  private mutating func checkPixels() throws {
    let (old, new) = (try Pixels(original.bytes), try Pixels(result.bytes))
    let psnr = new.psnr(to: old.transformed(by: transform))
    require(
      (new.width, new.height) == transform.size(width: old.width, height: old.height),
      "\(old.width)×\(old.height) pixels became \(new.width)×\(new.height)"
    )
    let isClose = try (psnr ?? 0) >= Self.psnr || comesAsCloseAsCan(new, to: old)
    require(isClose, "the pixels come no closer than \(psnr ?? 0) dB")
  }

  /// Whether pixels are about as close as any file of this sampling could be, or as such tables allow.
  private func comesAsCloseAsCan(_ new: Pixels, to old: Pixels) throws -> Bool {
    // Decoders that repeat chroma instead of interpolating it, and images of a few odd pixels, show where
    // chroma moved by a part of a sample. A quarter of a 16-bit table is still coarse.
    if original.quantization().joined().contains(where: { $0 > 255 }) { return true }
    let expected = old.transformed(by: transform)
    let factors = result.frame.components.map { "\($0.horizontal)x\($0.vertical)" }
    let options = ["-quality", "100", "-sample", factors.joined(separator: ",")]
    let best = try Pixels(Tool.run("cjpeg", options, input: expected.pnm).output)
    guard let limit = best.psnr(to: expected), let psnr = new.psnr(to: expected)
    else { return false }
    return psnr > limit - (isTiny ? 6 : 3)
  }

  /// Whether the image has so few pixels that each counts.
  private var isTiny: Bool { original.frame.width * original.frame.height < 64 }

  /// The report of the redraw agrees with the files.
  private mutating func checkReport() {
    guard let report = rewrite.redraw else { return require(false, "the redraw is not reported") }
    let isCoarse = original.quantization().joined().contains { $0 > 255 }
    let least = original.frame.repeatsSamples ? 26 : Self.psnr - (isTiny ? 15 : 1)
    require(isCoarse || report.psnr >= least, "a PSNR of \(report.psnr) is reported")
    require((0...255).contains(report.largestError), "\(report.largestError) as the largest error")
    for (image, size) in [(original, report.sizeBefore), (result, report.sizeAfter)] {
      let data = image.container.scans.reduce(0) { $0 + $1.data.count }
      require(data == size, "\(data) bytes of scans are reported as \(size)")
    }
  }

  /// The original can be restored, but for what was cut off.
  mutating func checkUndo() throws {
    let (verification, undo) = (rewrite.verification, rewrite.undo)
    if case .trimmed = edges {
      require(verification == .coefficients, "it is verified by \(verification)")
      return require(undo == nil, "what was cut off is said to be restorable")
    }
    require(verification == .restored, "it is verified by \(verification)")
    guard let undo else { return require(false, "there is no undo record") }
    let restored = try undo.restoreOriginal(from: result.bytes)
    require(restored == original.bytes, "the original is not restored")
    let copy = try UndoRecord(serialized: undo.serialized)
    require(copy == undo, "the record is another one when it is read again")
  }
}

extension CoefficientImage {
  /// The coefficients of one component.
  fileprivate func component(_ index: Int) -> ArraySlice<Int16> {
    let plane = planes[index]
    return coefficients[
      plane.firstBlock * 64..<(plane.firstBlock + plane.columns * plane.rows) * 64
    ]
  }
}

extension Frame {
  /// Whether decoders repeat samples that have more than two pixels on an axis, instead of interpolating them: then
  /// chroma that moves by a part of a sample is all edge.
  var repeatsSamples: Bool {
    components.contains { part in
      let (columns, rows) = (maxHorizontal / part.horizontal, maxVertical / part.vertical)
      return maxHorizontal % part.horizontal == 0 && maxVertical % part.vertical == 0
        && max(columns, rows) > 2
    }
  }
}
