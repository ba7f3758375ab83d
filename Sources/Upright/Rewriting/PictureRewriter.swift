internal import ImageOrientation
package import JPEGCore
internal import TurboTransform

/// Turns one JPEG picture: gives the edits of its frame, tables and scans.
struct PictureRewriter {
  let container: Container
  let frame: Frame
  let turn: Turn

  /// Why a picture is left as it is, after all.
  enum Failure: Error {
    case refused(Reason)
    case failed(UprightError)
  }

  /// Reads, turns and codes the picture.
  ///
  /// - Parameters:
  ///   - bytes: The buffer that `container` was read from.
  ///   - room: By how many bytes the picture should change its length, because something behind it must not
  ///     move; nil when that does not matter. The picture is filled up where it becomes shorter, its Huffman
  ///     tables are optimized where it would become longer, and it is longer still where that is not enough.
  /// - Returns: The edits of the frame, the tables and the scans, in no particular order.
  /// - Throws: ``Failure``.
  func edits(_ bytes: [UInt8], room: Int?) throws(Failure) -> [Edit] {
    let kept = frame.trimmed(for: turn)
    let turned = kept.turned(by: turn)
    let script = try coding { () throws(ScanScript.Failure) in
      try ScanScript(container, frame: turned, bytes.span)
    }
    guard !turn.transposes || script.isTransposable else { throw .refused(.incompleteProgression) }
    let frameEdits = try frameEdits(to: turned, bytes.span)
    let image = try read(bytes, keeping: kept)
    var edits = try coding { () throws(ScanScript.Failure) in try script.edits(image) }
    guard let room, let end = container.endOfImageOffset else { return frameEdits + edits }
    let left = room - frameEdits.totalShift
    if edits.totalShift > left {
      edits = try coding { () throws(ScanScript.Failure) in
        try script.edits(image, tables: .optimal)
      }
    }
    if edits.totalShift < left {
      let fill = [UInt8](repeating: 0xFF, count: left - edits.totalShift)
      edits.append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
    }
    return frameEdits + edits
  }

  private func frameEdits(to turned: Frame, _ bytes: Span<UInt8>) throws(Failure) -> [Edit] {
    let rewriter = FrameRewriter(container, from: frame, to: turned)
    guard turn.transposes else { return rewriter.headerEdits(bytes) }
    do throws(ContainerError) {
      return try rewriter.headerEdits(bytes) + rewriter.transpositionEdits(bytes)
    } catch {
      throw .failed(UprightError(error))
    }
  }

  private func read(_ bytes: [UInt8], keeping kept: Frame) throws(Failure) -> CoefficientImage {
    do throws(TransformError) {
      return try CoefficientReader.read(
        container.decodableStream(bytes),
        frame: frame,
        keeping: kept,
        turn: turn
      )
    } catch {
      throw Failure(error)
    }
  }

  private func coding<Value>(
    _ body: () throws(ScanScript.Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(ScanScript.Failure) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }
}

extension PictureRewriter.Failure {
  /// What is wrong, in words.
  var text: String {
    switch self {
    case .refused(let reason): reason.explanation
    case .failed(let error): error.message
    }
  }

  init(_ failure: ScanScript.Failure) {
    self =
      switch failure {
      case .malformed(let error): .failed(UprightError(error))
      case .incompleteProgression: .refused(.incompleteProgression)
      case .noCode:
        .failed(
          UprightError(.damagedScan, "a coefficient occurs that the built-in tables cannot code")
        )
      }
  }

  init(_ error: TransformError) {
    self =
      switch error {
      case .damaged(let message):
        .failed(
          UprightError(.damagedScan, "the picture's data is damaged, the decoder says: \(message)")
        )
      case .outOfMemory:
        .failed(UprightError(.outOfMemory, "there is not enough memory for the picture"))
      }
  }
}

extension UprightError {
  package init(_ error: ContainerError) {
    let code: Code =
      switch error.kind {
      case .empty: .empty
      case .notJPEG: .notJPEG
      case .truncated: .truncated
      case .malformed: .malformed
      case .limit: .limit
      }
    self.init(code, at: error.offset, error.message)
  }
}
