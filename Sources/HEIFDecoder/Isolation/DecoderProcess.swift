internal import Conversion
internal import FileSystem
internal import ISOBMFF
internal import Upright

/// The work of a process that decodes standard input and ends.
///
/// Nothing of another file has ever been in its memory.
struct DecoderProcess: Sendable {
  private static let name = "decode-heif"

  var maxPixels: Int
  /// The maximum size of a file.
  var maxBytes: Int
  /// The maximum time of decoding, in seconds.
  var timeLimit: Int

  init(maxPixels: Int, maxBytes: Int, timeLimit: Int) {
    (self.maxPixels, self.maxBytes, self.timeLimit) = (maxPixels, maxBytes, timeLimit)
  }

  /// The arguments of the process.
  var arguments: [String] { [Self.name] + [maxPixels, maxBytes, timeLimit].map { "\($0)" } }

  /// Returns the work of a process with these arguments, or nil if it has other work.
  init?(arguments: [String]) {
    guard arguments.first == Self.name, arguments.count == 4,
      let maxPixels = Int(arguments[1]), let maxBytes = Int(arguments[2]),
      let timeLimit = Int(arguments[3])
    else { return nil }
    self.init(maxPixels: maxPixels, maxBytes: maxBytes, timeLimit: timeLimit)
  }

  /// Writes the image, or an error, to standard output.
  func run() {
    // Where nobody reads it, nobody misses it.
    try? StandardStreams.write(answer())
  }

  private func answer() -> [UInt8] {
    // Loaded before the limit, because the libraries need more address space than memory.
    if let problem = HEIFLibrary.problem {
      return DecoderMessage.bytes(of: UprightError(.unsupported, problem))
    }
    ProcessMemory.fill()
    do {
      let file = try StandardStreams.read(limit: maxBytes)
      var decoder = HEIFDecoder()
      decoder.maxPixels = maxPixels
      let image = try decoder.decode(file) { form in
        ChildProcess.limitThisProcess(
          memory: Self.memory(for: form, file),
          time: .seconds(timeLimit)
        )
      }
      return DecoderMessage.bytes(of: image)
    } catch let error as UprightError {
      return DecoderMessage.bytes(of: error)
    } catch {
      return DecoderMessage.bytes(of: UprightError(.truncated, "\(error)"))
    }
  }

  /// The bytes that decoding may allocate.
  ///
  /// libheif and its decoders need up to 20 bytes per pixel, and the message three; threads of decoders have stacks.
  private static func memory(for form: ImageForm, _ file: [UInt8]) -> Int {
    let pixels = form.codedPixels + form.storedWidth * form.storedHeight
    return (1 << 30) + 4 * file.count + 32 * pixels
  }
}
