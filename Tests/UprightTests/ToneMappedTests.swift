import Fixtures
import ImageOrientation
import Testing
import Upright
import Verification

/// Tone-mapped images (`tmap`), which take a base and a gain map as they are displayed.
struct ToneMappedTests {
  /// What the items state; the images have 96×64 pixels.
  enum Structure: String, CaseIterable, Sendable {
    /// As iPhones write it.
    case portrait, landscape
    /// Without `irot` of the tone-mapped image.
    case bare, plain, mirrored
    /// With the stored size of a base that is rotated.
    case stored

    var isDisplayedSize: Bool { self != .stored }

    private var stated: [[UInt8]] {
      switch self {
      case .portrait, .bare, .stored: [HEIFSample.irot(3)]
      case .landscape: [HEIFSample.irot(0)]
      case .plain: []
      case .mirrored: [HEIFSample.irot(3), HEIFSample.box("imir", [0])]
      }
    }

    /// Tiles or a coded image, a gain map, the tone-mapped image, a thumbnail.
    func sample(isGrid: Bool) throws -> HEIFSample {
      func with(_ item: HEIFSample.Item, _ properties: [[UInt8]]) -> HEIFSample.Item {
        properties.reduce(item) { $0.with($1) }
      }
      var part = try HEIFSample.image()
      part.isHidden = true
      let (width, height) = isGrid ? (180, 120) : (96, 64)
      let base =
        isGrid ? HEIFSample.grid(2, 2, width, height, [5, 6, 7, 8]) : try HEIFSample.image()
      let map = with(part, [HEIFSample.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap")])
      let isTall = ![.landscape, .plain, .stored].contains(self)
      var derived = HEIFSample.Item(
        "tmap",
        [0],
        [isTall ? HEIFSample.ispe(height, width) : HEIFSample.ispe(width, height)]
      )
      if [.portrait, .landscape, .mirrored].contains(self) {
        derived = derived.with(HEIFSample.irot(0))
      }
      var sample = HEIFSample(
        with(base, stated),
        with(map, stated).referring("auxl", 1, 3),
        derived.referring("dimg", 1, 2),
        with(try HEIFSample.image(), stated).referring("thmb", 1)
      )
      if isGrid { sample.items += Array(repeating: part, count: 4) }
      sample.groups = [("altr", [3, 1])]
      return sample
    }
  }

  /// Returns the properties of each item, read without the product.
  private static func properties(_ file: [UInt8]) throws -> [[(type: String, value: [UInt8])]] {
    func number(_ range: Range<Int>) -> Int { file[range].reduce(0) { $0 << 8 | Int($1) } }
    func boxes(_ range: Range<Int>) -> [(type: String, content: Range<Int>)] {
      var (place, found): (Int, [(String, Range<Int>)]) = (range.lowerBound, [])
      while place + 8 <= range.upperBound {
        let end = place + number(place..<place + 4)
        found.append(
          (String(decoding: file[place + 4..<place + 8], as: UTF8.self), place + 8..<end)
        )
        place = end
      }
      return found
    }
    func only(_ type: String, _ list: [(type: String, content: Range<Int>)]) throws -> Range<Int> {
      try #require(list.first { $0.type == type }).content
    }
    let meta = try only("meta", boxes(file.indices)).dropFirst(4)
    let parts = boxes(try only("iprp", boxes(meta)))
    let all = boxes(try only("ipco", parts)).map { ($0.type, Array(file[$0.content])) }
    var place = try only("ipma", parts).lowerBound + 8
    var items: [[(String, [UInt8])]] = []
    for _ in 0..<number(place - 4..<place) {
      let count = Int(file[place + 2])
      items.append(file[place + 3..<place + 3 + count].map { all[Int($0 & 0x7F) - 1] })
      place += 3 + count
    }
    return items
  }

  private static func size(_ item: [(type: String, value: [UInt8])]) -> [UInt8]? {
    item.first { $0.type == "ispe" }?.value
  }

  private static func orientation(
    _ item: [(type: String, value: [UInt8])]
  ) -> OrientationTransform {
    let rotations: [OrientationTransform] = [.none, .rotate270, .rotate180, .rotate90]
    return item.reduce(.none) { result, property in
      switch property.type {
      case "irot": result.then(rotations[Int(property.value[0])])
      case "imir": result.then(property.value[0] == 0 ? .flipVertical : .flipHorizontal)
      default: result
      }
    }
  }

  private func rewrite(_ file: [UInt8], _ transform: OrientationTransform) throws -> Rewrite {
    var options = Options()
    options.makesUndo = true
    return try Rewriter(.normalize(then: transform), options: options).rewrite(file).rewritten()
  }

  @Test(arguments: Structure.allCases, [false, true])
  func `The base and the gain map are transformed, and the size of the image made of them follows`(
    structure: Structure,
    isGrid: Bool
  ) throws {
    for sharesProperties in [false, true] {
      var sample = try structure.sample(isGrid: isGrid)
      sample.sharesProperties = sharesProperties
      let file = sample.bytes
      let old = try Self.properties(file)
      for transform in OrientationTransform.allCases.dropFirst() {
        let rewrite = try rewrite(file, transform)
        let new = try Self.properties(rewrite.bytes)
        for item in [0, 1, 3] {
          #expect(Self.orientation(new[item]) == Self.orientation(old[item]).then(transform))
          #expect(Self.size(new[item]) == Self.size(old[item]))
        }
        #expect(Self.orientation(new[2]) == .none)
        let size = try #require(Self.size(old[2]))
        let isSwapped = transform.transposes && structure.isDisplayedSize
        let expected = isSwapped ? size.prefix(4) + size.suffix(4) + size[4..<8] : size[...]
        #expect(Self.size(new[2]) == Array(expected))
        #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == file)
        let verdict = try Verifier(then: transform).verify(original: file, result: rewrite.bytes)
        #expect(verdict.findings == [])
        #expect(verdict.isProven)
      }
    }
  }

  @Test(arguments: [Structure.portrait, .landscape, .stored])
  func `A size that does not follow, or follows what was not rotated, is a finding`(
    structure: Structure
  ) throws {
    let file = try structure.sample(isGrid: false).bytes
    let tall = structure == .portrait ? HEIFSample.ispe(64, 96) : HEIFSample.ispe(96, 64)
    let swapped = structure == .portrait ? HEIFSample.ispe(96, 64) : HEIFSample.ispe(64, 96)
    for transform in [OrientationTransform.rotate90, .rotate180] {
      var result = try rewrite(file, transform).bytes
      let isSwapped = transform.transposes && structure.isDisplayedSize
      let (before, after) = isSwapped ? (swapped, tall) : (tall, swapped)
      // That of the tone-mapped image is the third size in the file.
      var place = 0
      for _ in 0..<3 {
        let next = try #require(result[place...].firstRange(of: Array("ispe".utf8)))
        place = next.upperBound
      }
      #expect(result[place - 8..<place + 12] == before[...])
      result.replaceSubrange(place - 8..<place + 12, with: after)
      let verdict = try Verifier(then: transform).verify(original: file, result: result)
      #expect(verdict.findings.map { $0.code.rawValue } == ["item-orientation"])
      #expect(verdict.findings.first?.text.contains("(ispe) of item 3 (tmap)") == true)
    }
  }

  @Test func `The size of a tone-mapped AV1 image stays that of the stored base`() throws {
    // libavif requires it.
    var sample = try Structure.plain.sample(isGrid: false)
    for index in [0, 1, 3] {
      sample.items[index].type = "av01"
      // A sequence header of 96×64 pixels, and a frame without content.
      sample.items[index].data = [0x0A, 4, 0x18, 0x19, 0x6F, 0xFE, 0x32, 1, 0]
      sample.items[index].properties[0] = HEIFSample.box("av1C", [0x81, 0, 0x0C, 0])
    }
    let rewrite = try rewrite(sample.bytes, .rotate90)
    let new = try Self.properties(rewrite.bytes)
    #expect(Self.orientation(new[0]) == .rotate90)
    #expect(Self.size(new[2]) == Self.size(new[0]))
    let verdict = try Verifier(then: .rotate90).verify(
      original: sample.bytes,
      result: rewrite.bytes
    )
    #expect(verdict.isProven)
  }

  @Test func `A tone-mapped image that is cropped itself stops a change`() throws {
    var sample = try Structure.plain.sample(isGrid: false)
    sample.items[2] = sample.items[2].with(HEIFSample.clap(60, 40))
    let plan = try Rewriter(.normalize(then: .rotate90)).plan(sample.bytes)
    #expect(plan.action.reason?.code == .imageStructure)
    #expect(plan.action.reason?.cause.contains("item 3 (tmap) is cropped") == true)
  }

  @Test func `A group of an extended type is read after its user type`() throws {
    let image = try HEIFSample.image()
    for isPair in [true, false] {
      var sample = HEIFSample(image, image.with(HEIFSample.irot(1)))
      sample.groups = [("uuid", [1, 2])] + (isPair ? [("ster", [1, 2])] : [])
      let file = sample.bytes
      let outcome = try Rewriter(.normalize(then: .rotate90)).rewrite(file)
      guard isPair else {
        let cause = outcome.plan.action.reason?.cause
        #expect(cause == "item 1 is in a group of images of another kind (uuid)")
        continue
      }
      let result = try outcome.rewritten().bytes
      #expect(try Self.properties(result).map(Self.orientation) == [.rotate90, .none])
      let verdict = try Verifier(then: .rotate90).verify(original: file, result: result)
      #expect(verdict.isProven)
    }
  }
}
