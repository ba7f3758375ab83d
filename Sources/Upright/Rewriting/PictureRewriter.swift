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
  ///   - keepsLength: Whether what follows the picture must not move if that can be helped; then the
  ///     picture is filled up to its old length, and Huffman tables are optimized where they must be.
  /// - Returns: The edits of the frame, the tables and the scans, in no particular order.
  /// - Throws: ``Failure``.
  func edits(_ bytes: [UInt8], keepsLength: Bool) throws(Failure) -> [Edit] {
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
      guard keepsLength, let end = container.endOfImageOffset else { return edits }
      if edits.totalShift > 0 { edits = try scans.edits(image, tables: .optimal) }
      if edits.totalShift < 0 {
        let fill = [UInt8](repeating: 0xFF, count: -edits.totalShift)
        edits.append(Edit(end..<end, with: fill, field: Edit.Field("fill")))
      }
      return edits
    } catch { throw Failure(error) }
  }
}

extension PictureRewriter.Failure {
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
