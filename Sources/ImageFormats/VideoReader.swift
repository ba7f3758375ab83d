internal import FileBytes
internal import ISOBMFF
internal import ImageOrientation

/// Reads how a video is displayed: the matrix and the size of its track (ISO/IEC 14496-12, 8.3.2; QuickTime).
struct VideoReader {
  private var facts: FormatHeader
  private var movie = Matrix.identity
  private var track: Track?

  /// The linear part of a matrix in a header, of which only the signs count.
  private struct Matrix: Equatable {
    var (a, b, c, d): (Int, Int, Int, Int)

    static let identity = Matrix(a: 1, b: 0, c: 0, d: 1)

    /// Reads the signs of a matrix; nil if the bytes end within it.
    init?(_ bytes: [UInt8], at offset: Int) {
      func sign(_ index: Int) -> Int? {
        bytes.span.uint32(at: offset + 4 * index).map { Int32(bitPattern: $0).signum() }
          .map { Int($0) }
      }
      guard let a = sign(0), let b = sign(1), let c = sign(3), let d = sign(4) else { return nil }
      self.init(a: a, b: b, c: c, d: d)
    }

    init(a: Int, b: Int, c: Int, d: Int) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

    /// The transform by multiples of 90°, with mirroring; nil if it is none of these.
    var transform: OrientationTransform? {
      switch (a, b, c, d) {
      case (0, _, _, 0) where b != 0 && c != 0:
        OrientationTransform(transposes: true, mirrorsX: c < 0, mirrorsY: b < 0)
      case (_, 0, 0, _) where a != 0 && d != 0:
        OrientationTransform(transposes: false, mirrorsX: a < 0, mirrorsY: d < 0)
      default: nil
      }
    }
  }

  private struct Track {
    var isVideo = false
    var isEnabled = true
    var matrix = Matrix.identity
    var width = 0
    var height = 0
  }

  init(_ format: ImageFormat) { facts = FormatHeader(format) }

  mutating func read<Failure>(
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> FormatHeader {
    var hasMovie = false
    var boxes = BoxSequence(0..<file.size)
    do throws(HeaderError<Failure>) {
      while let box = try boxes.next(&file) {
        switch box.type {
        case "moov" where !hasMovie:
          try readMovie(box.content, &file)
          hasMovie = true
        case "uuid": try facts.readXMP(box, &file)
        default: break
        }
      }
    } catch {
      // The track does not depend on what follows it.
      guard hasMovie, case .content = error else { throw error }
    }
    guard hasMovie else {
      throw .content(.truncated(at: file.size, "the video has no box moov, which has its tracks"))
    }
    guard let track else {
      facts.note(.imageNotRead, "the file has no video track")
      return facts
    }
    (facts.width, facts.height) = (track.width, track.height)
    if let own = track.matrix.transform, let whole = movie.transform {
      facts.stated = own.then(whole)
    } else {
      facts.note(.imageNotRead, "the matrix of the video track is no rotation by a multiple of 90°")
    }
    return facts
  }

  private mutating func readMovie<Failure>(
    _ range: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) {
    var boxes = BoxSequence(range)
    while let box = try boxes.next(&file) {
      switch box.type {
      case "mvhd":
        let bytes = try file.bytes(box.content.prefix(100))
        movie = Matrix(bytes, at: bytes.first == 1 ? 48 : 36) ?? movie
      case "trak":
        let found = try Self.track(box.content, &file)
        // Players show the first video track that is enabled.
        if found.isVideo, track == nil || track?.isEnabled == false && found.isEnabled {
          track = found
        }
      case "cmov":
        throw .content(.unsupported("the header of the video is compressed (cmov)"))
      default: break
      }
    }
  }

  private static func track<Failure>(
    _ range: Range<Int>,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> Track {
    var track = Track()
    var boxes = BoxSequence(range)
    while let box = try boxes.next(&file) {
      switch box.type {
      case "tkhd":
        let bytes = try file.bytes(box.content.prefix(96))
        let start = bytes.first == 1 ? 52 : 40
        guard let matrix = Matrix(bytes, at: start),
          let width = bytes.span.uint32(at: start + 36),
          let height = bytes.span.uint32(at: start + 40)
        else { throw .content(.malformed(at: box.range.lowerBound, "the box tkhd is too short")) }
        // The lowest bit of the flags.
        track.isEnabled = bytes[3] & 1 == 1
        track.matrix = matrix
        (track.width, track.height) = (Int(width >> 16), Int(height >> 16))
      case "mdia":
        track.isVideo = try BoxSequence.isVideo(box, &file)
      default: break
      }
    }
    return track
  }
}
