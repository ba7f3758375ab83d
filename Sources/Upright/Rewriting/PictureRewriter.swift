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
    let scans: ScanRewriter
    do throws(ScanRewriter.Failure) {
      scans = try ScanRewriter(container, frame: kept, turn: turn, bytes.span)
    } catch { throw Failure(error) }
    let image: CoefficientImage
    do throws(TransformError) {
      image = try CoefficientReader.read(
        container.decodableStream(bytes),
        frame: frame,
        keeping: kept,
        turn: turn
      )
    } catch { throw Failure(error) }
    do throws(ScanRewriter.Failure) {
      var edits = try scans.edits(image)
      guard let room, let end = container.endOfImageOffset else { return edits }
      if edits.totalShift > room { edits = try scans.edits(image, tables: .optimal) }
      if edits.totalShift < room {
        let fill = [UInt8](repeating: 0xFF, count: room - edits.totalShift)
        edits.append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
      }
      return edits
    } catch { throw Failure(error) }
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

  init(_ failure: ScanRewriter.Failure) {
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
