internal import Conversion
internal import FileSystem
internal import SystemPackage
public import Upright

/// Converts HEIF files as ``HEIFConverter`` does, and decodes each in a process of its own.
///
/// A file from a stranger may crash a decoder, occupy it, or make it take all memory. The process has limits, cannot write
/// files, and has never seen another file. It is a second process of the same program, which therefore asks
/// ``decodeIfStarted()`` before it does anything else:
///
/// ```swift
/// if !IsolatedHEIFConverter.decodeIfStarted() { serve() }
/// ```
public struct IsolatedHEIFConverter: Sendable {
  /// The quality and the options, whose limits of size and pixels hold for the process, too.
  public var converter: HEIFConverter
  /// The maximum duration of decoding.
  ///
  /// Default: 120 seconds.
  public var timeLimit = Duration.seconds(120)

  /// Creates a converter.
  public init(_ converter: HEIFConverter = HEIFConverter()) { self.converter = converter }

  /// Decodes a file, if this process was started for that.
  ///
  /// - Returns: Whether it was; the program has to end then.
  public static func decodeIfStarted() -> Bool {
    guard let process = DecoderProcess(arguments: Array(CommandLine.arguments.dropFirst())) else {
      return false
    }
    process.run()
    return true
  }

  /// Converts a file.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file, or the reason why the file is skipped.
  /// - Throws: `UprightError`, of code `decoder-failed` or `time-limit` if the process does not answer.
  public func convert(_ file: [UInt8]) throws(UprightError) -> HEIFConverter.Outcome {
    let options = converter.options
    try options.checkSize(file.count)
    let decoder = IsolatedDecoder(
      maxPixels: options.maxPixels,
      maxBytes: file.count,
      timeLimit: timeLimit
    )
    do {
      return try converter.outcome(of: decoder.decode(FileReader(file, named: "photo")))
    } catch let error as UprightError {
      throw error
    } catch let error as FileError {
      throw UprightError(.decoderFailed, error.message)
    } catch {
      throw UprightError(.decoderFailed, "\(error)")
    }
  }
}
