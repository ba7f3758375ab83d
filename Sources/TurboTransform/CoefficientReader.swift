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
  /// - Returns: Whether ``read(_:frame:keeping:turn:)`` finds its way.
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
  ///   - kept: The part of the frame, from its top left, that is wanted; the frame itself unless trimmed.
  ///   - turn: How to turn the picture.
  /// - Returns: The coefficients of `kept`, turned.
  /// - Throws: ``TransformError``.
  package static func read(
    _ stream: [UInt8],
    frame: Frame,
    keeping kept: Frame,
    turn: Turn
  ) throws(TransformError) -> CoefficientImage {
    let planes = CoefficientImage.planes(of: kept.turned(by: turn))
    let blocks = planes.reduce(0) { $0 + $1.columns * $1.rows }
    var masks: [UInt64] = []
    var failure: TransformError?
    let coefficients = unsafe [Int16](unsafeUninitializedCapacity: blocks * 64) { values, count in
      unsafe masks = [UInt64](unsafeUninitializedCapacity: blocks) { bits, maskCount in
        guard let values = values.baseAddress, let bits = bits.baseAddress else {
          return
        }
        let collector = unsafe Collector(
          frame: frame,
          kept: kept,
          turn: turn,
          planes: planes,
          coefficients: values,
          masks: bits
        )
        if let alias = collector.alias {
          failure =
            alias.stream(stream, frame).map { run($0, collector) }
            ?? .damaged("the stream has no structure")
        } else {
          failure = run(stream, collector)
        }
        if failure == nil, collector.remaining != 0 {
          failure = .damaged("rows of blocks are missing")
        }
        if failure == nil { maskCount = blocks }
      }
      if failure == nil { count = blocks * 64 }
    }
    if let failure { throw failure }
    return CoefficientImage(planes: planes, coefficients: coefficients, masks: masks)
  }

  /// Runs the library's transform with a handle of its own: 2.1 keeps tables of earlier pictures in a handle.
  private static func run(_ stream: [UInt8], _ collector: Collector) -> TransformError? {
    guard let handle = unsafe tjInitTransform() else { return .outOfMemory }
    defer { unsafe tjDestroy(handle) }
    var transform = unsafe tjtransform()
    unsafe transform.op = Int32(TJXOP_NONE.rawValue)
    unsafe transform.options = TJXOPT_NOOUTPUT | TJXOPT_COPYNONE
    unsafe transform.data = Unmanaged.passUnretained(collector).toOpaque()
    unsafe transform.customFilter = { row, region, plane, component, _, transform in
      guard let row = unsafe row, let context = unsafe transform?.pointee.data else { return -1 }
      return unsafe Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
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
    if collector.isOutOfRange { return .damaged("a coefficient is out of range") }
    let message = unsafe String(cString: tjGetErrorStr2(handle))
    return message.contains("Insufficient memory") ? .outOfMemory : .damaged(message)
  }
}

/// Receives rows of blocks from the filter and puts each block into its place.
@safe
private final class Collector {
  private let kept: Frame
  private let turn: Turn
  private let planes: [CoefficientImage.Plane]
  private let coefficients: UnsafeMutablePointer<Int16>
  private let masks: UnsafeMutablePointer<UInt64>
  /// For each place of a source block, row × 8 + column, the zigzag position in the turned block.
  ///
  /// Where turning changes the sign it is 64 more. A pointer, because every coefficient is looked up.
  private let places: UnsafeMutablePointer<UInt8>
  /// Blocks per row and block rows of the components, as the library must deliver them.
  private let source: [(columns: Int, rows: Int)]
  private let wanted: [(columns: Int, rows: Int)]
  /// What the library takes the frame for, if not for what it is.
  let alias: SamplingAlias?
  /// Blocks still to come.
  private(set) var remaining: Int
  private(set) var isOutOfRange = false

  /// Eight-bit pictures have coefficients of at most 11 bits; this leaves room for odd encoders and is
  /// still within what a Huffman code can say.
  private static let largest = 1 << 14

  init(
    frame: Frame,
    kept: Frame,
    turn: Turn,
    planes: [CoefficientImage.Plane],
    coefficients: UnsafeMutablePointer<Int16>,
    masks: UnsafeMutablePointer<UInt64>
  ) {
    self.kept = kept
    self.turn = turn
    self.planes = planes
    unsafe self.coefficients = coefficients
    unsafe self.masks = masks
    alias = SamplingAlias(frame)
    let shown = alias?.frame ?? frame
    source = shown.components.indices.map(shown.blocks(of:))
    wanted = kept.components.indices.map(kept.blocks(of:))
    remaining = wanted.reduce(0) { $0 + $1.columns * $1.rows }
    let turned = (0..<64).map { place -> (row: Int, column: Int) in
      turn.transposes ? (place % 8, place / 8) : (place / 8, place % 8)
    }
    unsafe places = .allocate(capacity: 64)
    for (index, place) in turned.enumerated() {
      let changesSign =
        (turn.mirrorsX && place.column % 2 == 1) != (turn.mirrorsY && place.row % 2 == 1)
      unsafe places[index] = UInt8(
        Zigzag.position[place.row * 8 + place.column] + (changesSign ? 64 : 0)
      )
    }
  }

  deinit { unsafe places.deallocate() }

  /// Takes a row of blocks, each 64 coefficients row by row; false stops the library.
  ///
  /// A ``WorkLimit`` stops it, too: that looks like damage, until the one who set the limit asks for it.
  func collect(
    _ row: UnsafeMutablePointer<Int16>,
    _ region: tjregion,
    _ plane: tjregion,
    _ component: Int
  ) -> Bool {
    guard WorkLimit.reached == nil else { return false }
    let rowIndex = Int(region.y) / 8
    // Rows of padding blocks below the picture come too.
    guard rowIndex < (source[component].rows) else { return true }
    guard Int(region.w) / 8 == source[component].columns,
      Int(plane.h) / 8 == source[component].rows
    else { return false }
    let (columns, rows) = wanted[component]
    let target = planes[component]
    if let alias {
      for column in 0..<source[component].columns {
        let real = alias.place(component, column: column, row: rowIndex)
        guard real.column < columns, real.row < rows else { continue }
        let place = turn.destination(
          column: real.column,
          row: real.row,
          columns: columns,
          rows: rows
        )
        let block = target.firstBlock &+ place.row &* target.columns &+ place.column
        unsafe put(row + column &* 64, at: block)
        remaining -= 1
      }
      return !isOutOfRange
    }
    guard rowIndex < rows else { return true }
    for column in 0..<columns {
      let place = turn.destination(
        column: column,
        row: rowIndex,
        columns: columns,
        rows: rows
      )
      let block = target.firstBlock &+ place.row &* target.columns &+ place.column
      unsafe put(row + column &* 64, at: block)
    }
    remaining -= columns
    return !isOutOfRange
  }

  @inline(__always)
  private func put(_ block: UnsafeMutablePointer<Int16>, at index: Int) {
    let result = unsafe coefficients + index &* 64
    unsafe UnsafeMutableRawPointer(result).storeBytes(of: .zero, as: SIMD64<Int16>.self)
    var mask: UInt64 = 0
    for group in 0..<16 {
      // Most coefficients are zero; look at four at a time.
      let four = unsafe UnsafeRawPointer(block + group &* 4).loadUnaligned(as: UInt64.self)
      if four == 0 { continue }
      for place in group &* 4..<group &* 4 &+ 4 {
        let value = unsafe block[place]
        if value == 0 { continue }
        let target = unsafe Int(places[place])
        let zigzag = target & 63
        unsafe result[zigzag] = target > 63 ? 0 &- value : value
        mask |= 1 &<< UInt64(truncatingIfNeeded: zigzag)
        if abs(Int(value)) >= Self.largest { isOutOfRange = true }
      }
    }
    unsafe masks[index] = mask
  }
}
