import Fixtures
import ImageOrientation
import Testing
import Upright
import Verification

/// The comparison of files of formats other than JPEG.
struct OtherFormatTests {
  static let heifFiles: [String] = [
    "formats/agree.heic", "formats/exif-alone.heic", "formats/mirrored.heic",
    "formats/normalized.heic", "formats/xmp-alone.heic", "formats/rotated.avif",
    "formats/exif-alone.avif", "heif/alpha.heic", "heif/cropped.heic", "heif/depth.heic",
    "heif/grid.heic", "heif/gain-map.heic", "heif/tone-mapped.heic", "heif/stereo.heic",
    "heif/trailer.heic",
  ]
  static let taggedFiles: [String] = [
    "formats/big-endian.tif", "formats/little-endian.tif", "formats/big.tif", "formats/xmp.tif",
    "formats/digital-negative.dng", "formats/exif.png", "formats/exif-after.png",
    "formats/xmp.png", "formats/plain.png",
  ]

  private func rotated(
    _ file: [UInt8],
    _ transform: OrientationTransform = .rotate90
  ) throws -> [UInt8]? {
    var options = Options()
    options.onConflict = .resetTag
    let outcome = try Rewriter(.normalize(then: transform), options: options).rewrite(file)
    return if case .rewritten(let rewrite) = outcome { rewrite.bytes } else { nil }
  }

  private func tagged(_ file: [UInt8]) throws -> [UInt8] {
    let outcome = try Rewriter(.tag(.transform(.rotate90))).rewrite(file)
    guard case .rewritten(let rewrite) = outcome else { throw Tool.Failure("\(outcome)") }
    return rewrite.bytes
  }

  private func compared(
    _ original: [UInt8],
    _ result: [UInt8],
    then transform: OrientationTransform = .rotate90
  ) -> Verdict? {
    try? Verifier(then: transform).verify(original: original, result: result)
  }

  @Test(arguments: heifFiles, OrientationTransform.allCases.dropFirst())
  func `A HEIF file that is displayed transformed is proven, if that was asked for`(
    path: String,
    transform: OrientationTransform
  ) throws {
    let original = try Fixture.bytes(path)
    guard let result = try rotated(original, transform) else { return }
    let verdict = try #require(compared(original, result, then: transform))
    #expect(verdict.findings == [])
    #expect(verdict.detail == .lossless && verdict.isProven)
    #expect(verdict.differences.contains { $0.field.rawValue.hasPrefix("heif.item-") })
    let other = try #require(compared(original, result, then: .none))
    // Without a request, what metadata says may have been trusted.
    if !other.notes.contains(where: { $0.code.rawValue == "tag-trusted" }) {
      #expect(other.findings.map { $0.code.rawValue } == ["wrong-transform"])
      #expect(other.notes.contains { $0.code.rawValue == "transformed-further" })
    }
    let back = try #require(compared(result, original, then: transform.inverse))
    // The size of this tmap is the stored one beside a rotated base, which a rotation does not write.
    let known = path == "heif/tone-mapped.heic" ? ["item-orientation"] : []
    #expect(
      back.findings.allSatisfy { (known + ["orientation-stale"]).contains($0.code.rawValue) }
    )
  }

  @Test(arguments: taggedFiles) func `A tag that is changed as asked for is proven`(
    path: String
  ) throws {
    let original = try Fixture.bytes(path)
    let result = try tagged(original)
    let verdict = try #require(compared(original, result))
    #expect(verdict.findings == [])
    #expect(verdict.detail == .lossless)
    let other = try #require(compared(original, result, then: .none))
    #expect(other.findings.map { $0.code.rawValue } == ["wrong-transform"])
  }

  @Test func `Trusted metadata is proven as well as metadata that was reset`() throws {
    let original = try Fixture.bytes("formats/exif-alone.heic")
    for policy in [Options.ConflictPolicy.trustTag, .resetTag] {
      var options = Options()
      options.onConflict = policy
      let result = try Rewriter(options: options).rewrite(original).rewritten().bytes
      let verdict = try #require(compared(original, result, then: .none))
      #expect(verdict.findings == [])
      #expect(verdict.transform == (policy == .trustTag ? .rotate90 : .none))
      let isTrusted = verdict.notes.contains { $0.code.rawValue == "tag-trusted" }
      #expect(isTrusted == (policy == .trustTag))
    }
  }

  /// The bytes of a result whose value may be another one without a difference that is displayed: those of `irot` and
  /// `imir` have bits that mean nothing, and Exif of HEIF may be 1 or agree.
  private func freeBytes(_ result: [UInt8]) -> Set<Int> {
    var free: Set<Int> = []
    func add(_ pattern: [UInt8], _ distance: Int) {
      var rest = result[...]
      while let place = rest.firstRange(of: pattern) {
        free.insert(place.lowerBound + distance)
        rest = rest[place.upperBound...]
      }
    }
    add(Array("irot".utf8), 4)
    add(Array("imir".utf8), 4)
    add([1, 0x12, 0, 3], 9)
    return free
  }

  /// The associations of properties, where the essential flags of `irot` and `imir` are not compared.
  private func associations(_ result: [UInt8]) -> Range<Int> {
    guard let place = result.firstRange(of: Array("ipma".utf8))?.lowerBound else { return 0..<0 }
    let size = result[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
    return place..<place - 4 + size
  }

  @Test(arguments: heifFiles + taggedFiles) func `Bits that are flipped in a result are found`(
    path: String
  ) throws {
    let original = try Fixture.bytes(path)
    let isHEIF = Self.heifFiles.contains(path)
    guard let result = try isHEIF ? rotated(original) : tagged(original) else { return }
    let free = isHEIF ? freeBytes(result) : []
    let associations = associations(result)
    let rotatesNothing =
      result.firstRange(of: Array("irot".utf8)).map { result[$0.upperBound] & 3 == 0 } ?? false
    var missed: Set<Int> = []
    for place in result.indices where !free.contains(place) {
      for bit in Effort.part(Array(0..<8), of: place) where bit < 7 || !associations.contains(place)
      {
        var mutated = result
        mutated[place] ^= 1 << UInt8(bit)
        // A rotation by nothing may as well belong to no item.
        if rotatesNothing, associations.contains(place), mutated[place] & 0x7F == 0 { continue }
        if compared(original, mutated)?.findings.isEmpty == true { missed.insert(place) }
      }
    }
    #expect(missed.isEmpty, "\(missed.sorted())")
  }

  @Test(arguments: heifFiles + taggedFiles) func `A result that is cut or longer is found`(
    path: String
  ) throws {
    let original = try Fixture.bytes(path)
    let isHEIF = Self.heifFiles.contains(path)
    guard let result = try isHEIF ? rotated(original) : tagged(original) else { return }
    for length in result.indices {
      let isAccepted = compared(original, Array(result[..<length]))?.findings.isEmpty == true
      #expect(!isAccepted, "cut at \(length)")
    }
    #expect(compared(original, result + [0])?.findings.isEmpty != true)
  }

  /// Returns a file in which the first occurrence of some bytes is replaced.
  private func replacing(_ old: [UInt8], _ new: [UInt8], in file: [UInt8]) throws -> [UInt8] {
    var file = file
    let place = try #require(file.firstRange(of: old))
    file.replaceSubrange(place, with: new)
    return file
  }

  @Test func `Items that changed places are found, and properties that are dropped`() throws {
    let image = try HEIFSample.image()
    var other = image
    other.data[other.data.count - 2] ^= 1
    let tiles = [image, other].map { tile in
      var tile = tile
      tile.isHidden = true
      return tile
    }
    let color = HEIFSample.box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80])
    let grid = HEIFSample.grid(2, 1, 192, 64, [2, 3]).with(color)
    let original = HEIFSample(items: [grid] + tiles).bytes
    let result = try #require(try rotated(original))
    #expect(compared(original, result)?.isProven == true)
    let exchanged = HEIFSample(items: [grid, tiles[1], tiles[0]]).bytes
    let moved = try #require(try rotated(exchanged))
    #expect(
      compared(original, moved)?.findings.contains { $0.code.rawValue == "part-changed" } == true
    )
    let dropped = HEIFSample(items: [HEIFSample.grid(2, 1, 192, 64, [2, 3])] + tiles).bytes
    let without = try #require(try rotated(dropped))
    #expect(compared(original, without)?.findings.isEmpty == false)
  }

  @Test func `An image that does not follow is found`() throws {
    let alpha = HEIFSample.auxiliary("urn:mpeg:hevc:2015:auxid:1")
    func file(_ primary: UInt8, _ auxiliary: UInt8) throws -> [UInt8] {
      HEIFSample(
        items: [
          try HEIFSample.image().with(HEIFSample.irot(Int(primary))),
          try HEIFSample.image().with(alpha).with(HEIFSample.irot(Int(auxiliary)))
            .referring("auxl", 1),
        ]
      ).bytes
    }
    let original = try file(0, 0)
    #expect(compared(original, try file(3, 3))?.isProven == true)
    let other = try #require(compared(original, try file(3, 0)))
    #expect(other.findings.map { $0.code.rawValue } == ["item-orientation"])
  }

  @Test func `A chunk that was added is found`() throws {
    let original = try Fixture.bytes("formats/exif.png")
    let result = try tagged(original)
    let text = Array("tEXtComment\0other".utf8)
    let chunk: [UInt8] = [0, 0, 0, 13] + text + [0, 0, 0, 0]
    let end = try #require(result.firstRange(of: Array("IEND".utf8))).lowerBound - 4
    let longer = Array(result[..<end]) + chunk + result[end...]
    #expect(compared(original, longer)?.findings.isEmpty == false)
  }

  @Test func `Files of different formats, and of those that are not compared, are not read`() throws
  {
    let heic = try Fixture.bytes("formats/agree.heic")
    let png = try Fixture.bytes("formats/exif.png")
    let jpeg = try Fixture.bytes("orientation/aligned-6.jpg")
    for (original, result) in [(heic, png), (heic, jpeg), (jpeg, heic)] {
      #expect(throws: UprightError.self) {
        try Verifier().verify(original: original, result: result)
      }
    }
    var video = try Fixture.bytes("formats/level.mp4")
    let before = video
    video[video.count - 1] ^= 1
    #expect(throws: UprightError.self) {
      try Verifier().verify(original: before, result: video)
    }
  }

  @Test func `Extents without fields are not counted one by one`() {
    let number = HEIFSample.number
    var places = number(200, 2)
    for item in 1...200 { places += number(item, 2) + number(0, 2) + number(0xFFFF, 2) }
    let item = number(1, 2) + [0, 0] + Array("hvc1\0".utf8)
    let file =
      HEIFSample.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
      + HEIFSample.fullBox(
        "meta",
        HEIFSample.fullBox("pitm", number(1, 2)),
        HEIFSample.fullBox("iloc", [0, 0], places),
        HEIFSample.fullBox("iinf", number(1, 2), HEIFSample.fullBox("infe", version: 2, item))
      )
    let error = #expect(throws: UprightError.self) {
      try Verifier().verify(original: file, result: file + [0])
    }
    #expect(error?.file == .original && error?.code == .malformed)
  }

  @Test(arguments: ["iinf", "iloc", "iprp", "ipco"])
  func `A second list of items or properties is an error`(type: String) throws {
    let file = try Fixture.bytes("heif/plain.heic")
    // An empty one, as the last box of its container.
    let (container, last) = type == "ipco" ? ("iprp", "ipma") : ("meta", "iprp")
    let number = HEIFSample.number
    func box(_ type: String) throws -> Range<Int> {
      let name = try #require(file.firstRange(of: Array(type.utf8)))
      let size = file[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
      return name.lowerBound - 4..<name.lowerBound - 4 + size
    }
    let content = type == "iprp" ? HEIFSample.box("ipco") : number(0, 8)
    let second = HEIFSample.box(type, content)
    var changed = file
    changed.insert(contentsOf: second, at: try box(last).upperBound)
    for parent in Set([container, "meta"]) {
      let range = try box(parent)
      changed.replaceSubrange(
        range.lowerBound..<range.lowerBound + 4,
        with: number(range.count + second.count, 4)
      )
    }
    let error = #expect(throws: UprightError.self) {
      try Verifier().verify(original: changed, result: changed + [0])
    }
    #expect(error?.code == .malformed)
    #expect(error?.description.contains("more than one box \(type)") == true)
  }

  /// Returns a TIFF file whose directories, of 3855 entries each, begin with each byte of an area.
  private func overlapping(directories: Int) -> [UInt8] {
    let number = HEIFSample.number
    let start = 26 + 4 * directories
    var file = Array("MM\0*".utf8) + number(8, 4) + number(1, 2)
    file += number(0x14A, 2) + number(13, 2) + number(directories, 4) + number(26, 4)
    file += number(0, 4)
    for index in 0..<directories { file += number(start + index, 4) }
    return file + [UInt8](repeating: 15, count: directories + 2 + 12 * 0x0F0F)
  }

  @Test func `Directories that share most of their entries or offsets are an error`() {
    let page = TIFFSample.sharing(pages: 1, strips: 100_000)
    #expect(compared(page, page + [0]) != nil)
    let pages = TIFFSample.sharing(pages: 256, strips: 100_000)
    for file in [pages, overlapping(directories: 2_000)] {
      let error = #expect(throws: UprightError.self) {
        try Verifier().verify(original: file, result: file + [0])
      }
      #expect(error?.file == .original && error?.code == .malformed)
    }
  }

  @Test(arguments: heifFiles + taggedFiles + ["formats/level.mp4"])
  func `Identical files are identical, whether they can be compared or not`(
    path: String
  ) throws {
    let file = try Fixture.bytes(path)
    #expect(compared(file, file, then: .none)?.detail == .identical)
    // Its XMP, if it is trusted, asks for the opposite rotation.
    guard path != "formats/xmp-alone.heic" else { return }
    #expect(compared(file, file)?.findings.first?.code.rawValue == "not-transformed")
  }
}
