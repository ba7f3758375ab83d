internal import Conversion
public import ImageOrientation
public import Reports
public import Upright

/// Converts HEIF files (HEIC) to upright JPEG files with their metadata, using libheif.
///
/// This is not lossless: the pixels are re-encoded. libheif is loaded at first use; programs are not linked against it.
///
/// libheif receives only files whose structure was checked, but it runs in the process of the program. For files from
/// strangers, use ``IsolatedHEIFConverter``.
///
/// ```swift
/// if case .converted(let result) = try HEIFConverter().convert(file) {
///   store(result.bytes)
/// }
/// ```
public struct HEIFConverter: Sendable {
  /// The quality of the compression, 1 to 100, as in libjpeg.
  ///
  /// Default: 92.
  public var quality = Converter().quality
  /// The options; only those for regions, resolutions and the limits of size and pixels are used.
  public var options: Options

  /// Creates a converter.
  public init(options: Options = Options()) { self.options = options }

  /// Why libheif cannot be used, for example because it is not installed; nil if it can.
  public static var problem: String? { HEIFLibrary.problem }

  /// The outcome of a conversion.
  public enum Outcome: Sendable {
    /// The new file.
    case converted(Result)
    /// The file is skipped.
    case skipped(Reason)
  }

  /// A JPEG file converted from a HEIF file.
  public struct Result: Sendable {
    private let image: ConvertedImage

    init(_ image: ConvertedImage) { self.image = image }

    /// The file.
    public var bytes: [UInt8] { image.bytes }
    /// The transform that the source specifies, which was applied to the pixels.
    public var transform: OrientationTransform { image.transform }
    /// The changes of the metadata.
    public var changes: [Change] { image.changes }
    /// The parts of the source that the file lacks.
    public var losses: [Loss] {
      image.losses.map { Loss(identifier: $0.kind.rawValue, text: $0.text) }
    }
    /// Notes for people.
    public var notes: [Note] { image.notes }

    /// Returns the report of a file with this path.
    public func report(path: String) -> JSONReport { JSONReport(path: path, converted: image) }
  }

  /// A part of the source that is not in the converted file.
  public struct Loss: Hashable, Sendable {
    /// The identifier, such as `gain-map`; `docs/convert.md` lists them.
    public var identifier: String
    /// The text for people.
    public var text: String
  }

  /// Converts a file.
  ///
  /// - Parameter file: The whole file.
  /// - Returns: The new file, or the reason why the file is skipped.
  /// - Throws: `UprightError`, of code `unsupported` if libheif cannot be used.
  public func convert(_ file: [UInt8]) throws(UprightError) -> Outcome {
    if let problem = Self.problem { throw UprightError(.unsupported, problem) }
    try options.checkSize(file.count)
    var decoder = HEIFDecoder()
    decoder.maxPixels = options.maxPixels
    return try outcome(of: try decoder.decode(file))
  }

  /// Converts an image that was decoded.
  func outcome(of image: DecodedImage) throws(UprightError) -> Outcome {
    var converter = Converter()
    converter.quality = quality
    converter.options = options
    switch try converter.convert(image) {
    case .skipped(let reason): return .skipped(reason)
    case .converted(let image): return .converted(Result(image))
    }
  }
}
