internal import ArgumentParser
internal import Conversion
internal import FileSystem
internal import HEIFDecoder
internal import ISOBMFF
internal import Upright

/// `upright decode-heif`, which `convert` starts for each file: it decodes standard input in a process of its own.
///
/// Nothing of another file has ever been in its memory.
struct DecodeCommand: ParsableCommand {
  static let name = "decode-heif"

  static let configuration = CommandConfiguration(
    commandName: name,
    _superCommandName: "upright",
    abstract: "Decode a HEIF file from standard input, for upright convert.",
    shouldDisplay: false
  )

  @Option var maxPixels: Int

  @Option var maxBytes: Int

  @Option var timeLimit: Int

  func run() throws {
    try StandardStreams.write(answer())
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
