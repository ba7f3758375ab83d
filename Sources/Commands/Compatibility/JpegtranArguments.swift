internal import FileSystem
internal import ImageOrientation
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright

/// The command line of jpegtran.
///
/// Source: the manual and the behaviour of jpegtran in libjpeg-turbo 2.1, and the shorter abbreviations of 3.
enum JpegtranArguments {
  /// A switch; the order is that in which abbreviations are compared.
  private enum Switch: String, CaseIterable {
    case arithmetic, copy, crop, drop, debug, verbose, version, flip, grayscale, greyscale, icc
    case maxmemory, maxscans, optimize, optimise, outfile, perfect, progressive, report, restart
    case roll, rotate, scans, strict, transpose, transverse, trim, wipe

    /// The number of letters that suffice.
    var shortest: Int {
      switch self {
      case .arithmetic, .copy, .debug, .verbose, .flip, .grayscale, .greyscale, .icc, .optimize,
        .optimise, .progressive, .restart, .scans, .transpose, .wipe:
        1
      case .crop, .drop, .perfect, .rotate, .strict: 2
      case .maxmemory, .report, .trim: 3
      case .maxscans, .outfile, .roll, .version: 4
      case .transverse: 6
      }
    }

    init?(_ word: Substring) {
      let found = Self.allCases.first {
        isAbbreviation(word, of: $0.rawValue, atLeast: $0.shortest)
      }
      guard let found else { return nil }
      self = found
    }
  }

  /// Returns what the arguments request.
  static func request(_ arguments: [String]) throws(CompatibilityError) -> CompatibleRequest {
    var call = Call()
    var rest = arguments[...]
    while let word = rest.first, word.hasPrefix("-") {
      rest.removeFirst()
      guard let option = Switch(word.dropFirst()) else {
        throw .usage("there is no switch \(TextFormat.escaped(word)). \(usage)")
      }
      if option == .version {
        return .text("Upright \(Version.current), called as jpegtran")
      }
      try call.take(option, &rest)
    }
    guard rest.count < 2 else { throw .usage("only one input file. \(usage)") }
    return .work(try call.work(on: rest.first))
  }

  private static let usage =
    "Usage: jpegtran [-rotate 90|180|270] [-flip horizontal|vertical] [-transpose] [-transverse]"
    + " [-crop WxH+X+Y] [-trim] [-perfect] [-copy all] [-maxmemory N] [-maxscans N] [-strict]"
    + " [-outfile name] [inputfile]"

  /// The switches so far.
  private struct Call {
    var transform: OrientationTransform?
    var rectangle: PixelRectangle?
    var options = Options()
    var isPerfect = false
    /// Whether Exif is copied as it is, as with `-copy all`.
    var copiesAll = false
    var outfile: String?

    mutating func take(
      _ option: Switch,
      _ rest: inout ArraySlice<String>
    ) throws(CompatibilityError) {
      func value() throws(CompatibilityError) -> String {
        guard let value = rest.popFirst() else {
          throw .usage("-\(option.rawValue) needs a value. \(usage)")
        }
        return value
      }
      switch option {
      case .rotate:
        let angles = OrientationTransform.angles
        try set(JpegtranArguments.choice(try value(), option, angles) { $0.count })
      case .flip:
        let flips = OrientationTransform.flips
        try set(JpegtranArguments.choice(try value(), option, flips) { _ in 1 })
      case .transpose: try set(.transpose)
      case .transverse: try set(.transverse)
      case .crop:
        let text = try value()
        guard let rectangle = PixelRectangle(text) else {
          throw .unsupported("-crop \(TextFormat.escaped(text)), only -crop WxH+X+Y")
        }
        self.rectangle = rectangle
      case .trim: options.unaligned = .trim
      case .perfect: isPerfect = true
      case .copy:
        let sets = [("none", false), ("comments", false), ("icc", false), ("all", true)]
        let text = try value()
        copiesAll = try JpegtranArguments.choice(text, option, sets) { _ in 1 }
        guard copiesAll else { throw .unsupported("-copy \(text), because it keeps all metadata") }
      case .maxmemory: options.maxMemory = try memory(try value())
      case .maxscans:
        guard let count = Int(try value()), count >= 0 else {
          throw .usage("-maxscans needs a number. \(usage)")
        }
        options.maxScans = count
      case .outfile: outfile = try value()
      // A damaged image is an error in any case.
      case .strict: break
      case .arithmetic, .drop, .debug, .verbose, .version, .grayscale, .greyscale, .icc, .optimize,
        .optimise, .progressive, .report, .restart, .roll, .scans, .wipe:
        throw .unsupported("-\(option.rawValue)")
      }
    }

    private mutating func set(_ transform: OrientationTransform) throws(CompatibilityError) {
      guard self.transform == nil || self.transform == transform else {
        throw .usage("can only do one image transformation at a time. \(usage)")
      }
      self.transform = transform
    }

    /// Returns a number of bytes: thousands, or millions if an `m` follows the number.
    private func memory(_ text: String) throws(CompatibilityError) -> Int {
      let isMillions = text.last == "m" || text.last == "M"
      guard let number = Int(isMillions ? text.dropLast() : text[...]),
        (0...1 << 40).contains(number)
      else { throw .usage("-maxmemory needs a number. \(usage)") }
      return number * (isMillions ? 1_000_000 : 1000)
    }

    func work(on file: String?) throws(CompatibilityError) -> CompatibleWork {
      guard transform != nil || rectangle != nil else {
        throw .unsupported("call without -rotate, -flip, -transpose, -transverse or -crop")
      }
      // jpegtran crops what it leaves of the image.
      if transform != nil, rectangle != nil, options.unaligned == .trim {
        throw .unsupported("-trim together with -crop and a transform")
      }
      var options = options
      if isPerfect { options.unaligned = .redraw }
      return CompatibleWork(
        rewriter: Rewriter(
          .stored(
            transform ?? OrientationTransform.none,
            crop: rectangle,
            keepsTag: copiesAll,
            isPerfect: isPerfect
          ),
          options: options
        ),
        files: file.map { [$0] } ?? [],
        destination: Destination(outfile: outfile, of: file)
      )
    }
  }

  /// Returns the choice that a word abbreviates.
  private static func choice<Value>(
    _ word: String,
    _ option: Switch,
    _ choices: [(name: String, value: Value)],
    shortest: (String) -> Int
  ) throws(CompatibilityError) -> Value {
    let found = choices.first { isAbbreviation(word[...], of: $0.name, atLeast: shortest($0.name)) }
    guard let found else {
      throw .usage("there is no -\(option.rawValue) \(TextFormat.escaped(word)). \(usage)")
    }
    return found.value
  }

  private static func isAbbreviation(_ word: Substring, of name: String, atLeast count: Int) -> Bool
  {
    word.count >= count && name.hasPrefix(word.lowercased())
  }
}

extension Destination {
  /// Creates the destination of a program's only result.
  init(outfile: String?, of file: String?) {
    guard let outfile, outfile != "/dev/stdout" else {
      self = .standardOutput
      return
    }
    let output = ArgumentPath.path(outfile)
    if let file, (try? ArgumentPath.path(file).isSameFile(as: output)) == true {
      self = .inPlace
    } else {
      self = .file(output)
    }
  }
}
