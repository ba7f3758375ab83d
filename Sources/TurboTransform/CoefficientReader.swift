internal import CTurboJPEG
package import ImageOrientation
package import JPEGCore

/// Reads a picture's quantized coefficients through TurboJPEG's lossless transform, turning them on the way.
///
/// The transform hands over one row of blocks at a time, in its custom filter, and writes no file of its own.
/// Each block is put where the turn takes it, its coefficients transposed and their signs changed; so the turn
/// costs next to nothing beside the entropy decoding, and the whole less than half of a transform that
/// writes. Every warning of the library is an error here: data that it had to invent is never passed on.
package enum CoefficientReader {
  /// Whether the frame's sampling can be read.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - isInterleaved: Whether its first scan holds all components.
  /// - Returns: Whether ``read(_:frame:in:turn:)`` finds its way.
  package static func canRead(_ frame: Frame, isInterleaved: Bool) -> Bool {
    isNamed(frame) || isInterleaved && SamplingAlias(frame) != nil
  }

  /// Whether TurboJPEG 2.1 finds a name for the frame's sampling; it reads no others.
  private static func isNamed(_ frame: Frame) -> Bool {
    let parts = frame.components.map { ($0.horizontal, $0.vertical) }
    switch parts.count {
    case 1: return true
    case 3, 4:
      let (luma, chroma) = (parts[0], parts[1])
      guard parts[2] == chroma, parts.count == 3 || parts[3] == luma else { return false }
      if chroma == (1, 1) {
        return [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1)].contains { $0 == luma }
      }
      // The same ratios with every factor doubled.
      guard parts.count == 3 else { return false }
      return [((2, 1), (2, 1)), ((1, 2), (1, 2)), ((2, 2), (1, 2)), ((2, 2), (2, 1))]
        .contains { $0.0 == luma && $0.1 == chroma }
    default: return false
    }
  }

  /// Whether a frame can be read, turned, written and read again: 8 bits a sample, Huffman-coded, and of a
  /// sampling that can be read before and after.
  package static func canTurn(_ frame: Frame, by turn: Turn, isInterleaved: Bool) -> Bool {
    frame.precision == 8 && frame.height > 0 && !frame.process.isLossless
      && !frame.process.isHierarchical && !frame.process.isArithmetic
      && canRead(frame, isInterleaved: isInterleaved)
      && canRead(frame.turned(by: turn), isInterleaved: isInterleaved)
  }

  /// Reads and turns the coefficients of a picture.
  ///
  /// - Parameters:
  ///   - stream: A JPEG stream without application segments.
  ///   - frame: Its frame.
  ///   - window: The part of the picture that is wanted, exact under `turn`; all of it unless given.
  ///   - turn: How to turn the picture.
  /// - Returns: The coefficients of the window, turned.
  /// - Throws: ``TransformError``.
  package static func read(
    _ stream: [UInt8],
    frame: Frame,
    in window: PixelRectangle? = nil,
    turn: Turn
  ) throws(TransformError) -> SparseImage {
    let placement = BlockPlacement(frame, in: window ?? frame.bounds, turn: turn)
    return try SparseImage(planes: placement.planes, turn: turn, size: stream.count) {
      sink throws(TransformError) in
      try read(stream, BlockCollector(frame, placement, sink))
    }
  }

  /// Reads and turns the coefficients of a picture, and codes them at once.
  ///
  /// - Parameters:
  ///   - stream: A JPEG stream without application segments.
  ///   - frame: Its frame.
  ///   - window: The part of the picture that is wanted, exact under `turn`; all of it unless given.
  ///   - turn: How to turn the picture.
  ///   - codes: The codes of each component.
  /// - Returns: The coded coefficients of the window, turned.
  /// - Throws: ``TransformError``.
  package static func read(
    _ stream: [UInt8],
    frame: Frame,
    in window: PixelRectangle? = nil,
    turn: Turn,
    codes: [ComponentCodes]
  ) throws(TransformError) -> CodedImage {
    let placement = BlockPlacement(frame, in: window ?? frame.bounds, turn: turn)
    return try CodedImage(codes, planes: placement.planes, turn: turn, size: stream.count) {
      sink throws(TransformError) in
      try read(stream, BlockCollector(frame, placement, sink))
    }
  }

  private static func read(
    _ stream: [UInt8],
    _ collector: BlockCollector
  ) throws(TransformError) {
    // The library decodes everything before it gives the first row, and cannot be stopped meanwhile.
    guard WorkLimit.reached == nil else { throw .damaged("the work was ended") }
    var failure: TransformError?
    if let alias = collector.alias {
      guard let stream = alias.stream(stream, collector.frame) else {
        throw .damaged("the stream has no structure")
      }
      failure = run(stream, collector)
    } else {
      failure = run(stream, collector)
    }
    if let failure = failure ?? collector.failure { throw failure }
  }

  /// Runs the library's transform with a handle of its own: 2.1 keeps tables of earlier pictures in a handle.
  private static func run(_ stream: [UInt8], _ collector: BlockCollector) -> TransformError? {
    guard let handle = unsafe tjInitTransform() else { return .outOfMemory }
    defer { unsafe tjDestroy(handle) }
    var transform = unsafe tjtransform()
    unsafe transform.op = Int32(TJXOP_NONE.rawValue)
    unsafe transform.options = TJXOPT_NOOUTPUT | TJXOPT_COPYNONE
    unsafe transform.data = Unmanaged.passUnretained(collector).toOpaque()
    unsafe transform.customFilter = { row, region, plane, component, _, transform in
      guard let row = unsafe row, let context = unsafe transform?.pointee.data else { return -1 }
      return unsafe Unmanaged<BlockCollector>.fromOpaque(context).takeUnretainedValue()
        .collect(row, region, plane, Int(component)) ? 0 : -1
    }
    var output: UnsafeMutablePointer<UInt8>?
    var outputSize: UInt = 0
    defer { unsafe tjFree(output) }
    let status = withExtendedLifetime(collector) {
      unsafe tjTransform(
        handle,
        stream,
        UInt(stream.count),
        1,
        &output,
        &outputSize,
        &transform,
        TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS
      )
    }
    guard status != 0 else { return nil }
    if collector.isOutOfRange { return collector.failure }
    let message = unsafe String(cString: tjGetErrorStr2(handle))
    return message.contains("Insufficient memory") ? .outOfMemory : .damaged(message)
  }
}
