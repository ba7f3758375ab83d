#if HEIF
internal import Conversion
internal import ImageOrientation
public import Upright

/// Converts HEIF files (HEIC) to upright JPEG files with their metadata, through libheif.
///
/// This is not lossless: the pixels are re-encoded. libheif is loaded when it is first needed, and a program that
/// uses this is not linked against it.
///
/// ```swift
/// if case .converted(let result) = try HEIFConverter().convert(file) {
///   store(result.bytes)
/// }
/// ```
public struct HEIFConverter: Sendable {
  /// How well pixels are compressed, 1 to 100, as libjpeg counts.
  ///
  /// Default: 92.
  public var quality = Converter().quality
  /// What happens to regions and resolutions, and the most pixels; the other options have no meaning here.
  public var options: Options

  /// Makes a converter.
  public init(options: Options = Options()) { self.options = options }

  /// Why libheif cannot be used, as when it is not installed; nil if it can.
  public static var problem: String? { HEIFLibrary.problem }

  /// What became of a file.
  public enum Outcome: Sendable {
    /// The new file.
    case converted(Result)
    /// There is none, for a reason.
    case skipped(Reason)
  }

  /// A JPEG file made of a HEIF file.
  public struct Result: Sendable {
    /// The file.
    public var bytes: [UInt8]
    /// What differs in the metadata.
    public var changes: [Change]
    /// What the source has and the file has not.
    public var losses: [Loss]
    /// What people should know besides.
    public var notes: [String]
  }

  /// Something of the source that is not in the converted file.
  public struct Loss: Hashable, Sendable {
    /// What it is, such as `gain-map`; `docs/convert.md` lists the identifiers.
    public var identifier: String
    /// What is lost, in words for people.
    public var text: String
  }

  /// Converts a file.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file, or why there is none.
  /// - Throws: `UprightError`, of code `unsupported` where libheif cannot be used.
  public func convert(_ file: [UInt8]) throws(UprightError) -> Outcome {
    if let problem = Self.problem { throw UprightError(.unsupported, problem) }
    try options.checkSize(file.count)
    var decoder = HEIFDecoder()
    decoder.maxPixels = options.maxPixels
    var converter = Converter()
    converter.quality = quality
    converter.options = options
    switch try converter.convert(try decoder.decode(file)) {
    case .skipped(let reason): return .skipped(reason)
    case .converted(let image):
      return .converted(
        Result(
          bytes: image.bytes,
          changes: image.changes,
          losses: image.losses.map { Loss(identifier: $0.kind.rawValue, text: $0.text) },
          notes: image.notes
        )
      )
    }
  }
}
#endif
