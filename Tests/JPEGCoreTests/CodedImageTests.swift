import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform

struct CodedImageTests {
  @Test(arguments: exactFixtures)
  func `Coding while reading gives the scans that coding what was read gives`(
    fixture: Fixture
  ) throws {
    let picture = try Picture(try fixture.bytes())
    guard CoefficientReader.canRead(picture.frame, isInterleaved: true) else { return }
    let stream = picture.container.decodableStream(picture.bytes)
    for turn in Turn.allCases where picture.frame.isExact(picture.frame.bounds, under: turn) {
      let frame = picture.frame.turned(by: turn)
      let script = try ScanScript(picture.container, frame: frame, picture.bytes.span)
      guard let codes = script.codes(.given) else {
        #expect(picture.frame.process.isProgressive)
        continue
      }
      let sparse = try CoefficientReader.read(stream, frame: picture.frame, turn: turn)
      let coded = try CoefficientReader.read(
        stream,
        frame: picture.frame,
        turn: turn,
        codes: codes
      )
      for padsWithOnes in [true, false] {
        var conventions = CodingConventions()
        conventions.padsWithOnes = padsWithOnes
        conventions.padding = unrulyPadding(frame)
        let expected = try? script.edits(sparse, tables: .given, conventions: conventions)
        #expect((try? script.edits(coded, conventions: conventions)) == expected)
      }
    }
  }

  /// A block beyond each component's last, as if an encoder had coded something there.
  private func unrulyPadding(_ frame: Frame) -> PaddingBlocks {
    var padding: PaddingBlocks = [:]
    var block = [Int16](repeating: 0, count: 64)
    (block[0], block[1], block[40]) = (5, -200, 1)
    for component in frame.components.indices {
      let (columns, rows) = frame.blocks(of: component)
      padding[PaddingBlock(component: component, column: columns, row: rows - 1)] = block
    }
    return padding
  }

  @Test(arguments: Turn.allCases)
  func `Large coefficients and long runs of zeros are coded while reading, too`(
    turn: Turn
  ) throws {
    let picture = try Picture(try Fixture.bytes("sampling/444-tag-6.jpg"))
    let frame = picture.frame.turned(by: turn)
    let script = try ScanScript(picture.container, frame: frame, picture.bytes.span)
    let codes = try #require(script.codes())
    let planes = CoefficientImage.planes(of: frame)
    for (largest, sparsity) in [(1, 40), (127, 3), (128, 20), (1_023, 1), (1_023, 30)]
      as [(Int16, Int)]
    {
      var generator = SeededGenerator(seed: UInt64(largest) + UInt64(sparsity))
      let row = (0..<picture.frame.blocks(of: 0).columns * 64).map { index -> Int16 in
        let isZero = Int.random(in: 0...sparsity, using: &generator) > 0
        return isZero || index % 64 == 0 ? 0 : .random(in: -largest...largest, using: &generator)
      }
      func fill(_ sink: any BlockSink) {
        unsafe row.withUnsafeBufferPointer { row in
          for (component, plane) in planes.enumerated() {
            for place in 0..<plane.columns * plane.rows {
              unsafe sink.put(
                row.baseAddress! + place % (row.count / 64) * 64,
                count: 1,
                component: component,
                at: plane.firstBlock + place,
                step: 0
              )
            }
          }
        }
        #expect(!sink.isOutOfRange)
      }
      let sparse = SparseImage(planes: planes, turn: turn, size: 0, read: fill)
      let coded = CodedImage(codes, planes: planes, turn: turn, size: 0, read: fill)
      #expect(try script.edits(coded) == script.edits(sparse, tables: .given))
    }
  }

  @Test func `A coefficient that no code can say is noticed, whatever the form`() throws {
    let picture = try Picture(try Fixture.bytes("sampling/444-tag-6.jpg"))
    let script = try ScanScript(picture.container, frame: picture.frame, picture.bytes.span)
    let codes = try #require(script.codes())
    let planes = CoefficientImage.planes(of: picture.frame)
    for (value, position, isOutOfRange) in [
      (16_384, 9, true), (-16_384, 9, true), (.min, 9, true), (16_383, 9, false),
      (-16_384, 0, true), (16_383, 0, false),
    ] as [(Int16, Int, Bool)] {
      var block = [Int16](repeating: 0, count: 64)
      block[position] = value
      func fill(_ sink: any BlockSink) {
        unsafe block.withUnsafeBufferPointer {
          unsafe sink.put($0.baseAddress!, count: 1, component: 0, at: 0, step: 0)
        }
        #expect(sink.isOutOfRange == isOutOfRange)
      }
      _ = SparseImage(planes: planes, turn: .rotate90, size: 0, read: fill)
      let coded = CodedImage(codes, planes: planes, turn: .rotate90, size: 0, read: fill)
      // The standard's tables have codes of ten bits.
      #expect(position == 0 || lacksCode(script, coded))
    }
  }

  private func lacksCode(_ script: ScanScript, _ image: CodedImage) -> Bool {
    do throws(ScanScript.Failure) {
      _ = try script.edits(image)
      return false
    } catch { return error == .noCode }
  }
}
