package import Conversion
package import FileSystem
internal import SystemPackage
internal import Upright

/// Decodes HEIF files, each in a process of its own, and returns the images.
package struct IsolatedDecoder: Sendable {
  var maxPixels: Int
  /// The maximum size of a file.
  var maxBytes: Int
  /// The maximum duration of decoding a file.
  var timeLimit: Duration

  package init(maxPixels: Int, maxBytes: Int, timeLimit: Duration) {
    (self.maxPixels, self.maxBytes, self.timeLimit) = (maxPixels, maxBytes, timeLimit)
  }

  /// Decodes a file.
  ///
  /// - Throws: ``UprightError`` or ``FileError``.
  package func decode(_ file: borrowing FileReader) throws -> DecodedImage {
    let end: ChildProcess.End
    do throws(ChildProcess.Failure) {
      end = try ChildProcess.run(
        DecoderProcess(
          maxPixels: maxPixels,
          maxBytes: maxBytes,
          timeLimit: Int(timeLimit.components.seconds)
        ).arguments,
        input: file,
        // Three planes at most.
        maxOutput: 3 * min(maxPixels, 1 << 40) + DecoderMessage.maxOverhead,
        timeLimit: timeLimit
      )
    } catch {
      throw self.error(error, file.path)
    }
    guard let image = try DecoderMessage.image(of: end.output, maxPixels: maxPixels) else {
      let cause = end.signal.map { "by signal \($0)" } ?? "with status \(end.status)"
      throw UprightError(
        .decoderFailed,
        "the process that decodes the image was ended \(cause). The file is damaged, or the decoder has a defect."
      )
    }
    return image
  }

  private func error(_ failure: ChildProcess.Failure, _ path: FilePath) -> any Error {
    switch failure {
    case .timeLimit:
      UprightError(
        .timeLimit,
        "decoding took longer than \(timeLimit.components.seconds) s"
      )
    case .tooMuchOutput: UprightError(.decoderFailed, "the decoder returned too many bytes")
    case .interrupted: FileError.interrupted(path)
    case .system(let errno):
      UprightError(.decoderFailed, "the process that decodes the image cannot be started: \(errno)")
    }
  }
}
