import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform

/// Damaged data that Upright's decoder accepts, TurboJPEG decodes without a warning, with the same coefficients.
///
/// Bytes after the last MCU of a scan or of a restart interval are an exception: they are reported, and libjpeg may warn of
/// them.
struct DamageTests {
  /// The results for damaged files.
  private struct Tally {
    var read = 0
    var refused = 0
    var strayBytes = 0
  }

  @Test(arguments: [
    "orientation/aligned-6.jpg", "coding/restart-rows.jpg", "coding/baseline-optimised.jpg",
    "sampling/grayscale-2x2-tag-6.jpg", "sampling/444-tag-6.jpg", "sampling/411-tag-5.jpg",
    "coding/scans-luma-chroma.jpg",
  ])
  func `Damaged sequential data is decoded only as TurboJPEG decodes it without a warning`(
    path: String
  ) throws {
    let tally = try examine(try ImageFile(try Fixture.bytes(path)), rounds: 1_500, seed: 0x5E0)
    // Most damage is detected, except damage that only changes values.
    #expect(tally.read > 20 && tally.refused > 500, "\(tally)")
  }

  @Test(arguments: [
    "coding/progressive.jpg", "coding/progressive-restarts.jpg", "coding/progressive-script.jpg",
  ])
  func `Damaged progressive data is decoded only as TurboJPEG decodes it without a warning`(
    path: String
  ) throws {
    let tally = try examine(try ImageFile(try Fixture.bytes(path)), rounds: 1_500, seed: 0x5E1)
    #expect(tally.read > 20 && tally.refused > 500, "\(tally)")
  }

  @Test(
    arguments: [
      "0,1,2: 0-0, 0, 0; 0: 1-63, 0, 0; 1: 1-63, 0, 0; 2: 1-63, 0, 0;",
      "0: 0-0, 0, 1; 1: 0-0, 0, 0; 2: 0-0, 0, 0; 0: 0-0, 1, 0; 0: 1-63, 0, 0; 1: 1-63, 0, 0;",
      """
      0,1: 0-0, 0, 2; 2: 0-0, 0, 1; 0: 1-5, 0, 3; 0: 6-63, 0, 2; 0,1: 0-0, 2, 1; 1: 1-63, 0, 1;
      2: 0-0, 1, 0; 0: 6-63, 2, 1; 0: 1-5, 3, 2; 2: 1-63, 0, 0; 0,1: 0-0, 1, 0; 0: 6-63, 1, 0;
      0: 1-5, 2, 1; 1: 1-63, 1, 0; 0: 1-5, 1, 0;
      """,
    ],
    ["2x2", "1x2", "4x1"]
  )
  func `The same is true of other scans and samplings, with restart intervals`(
    script: String,
    sampling: String
  ) throws {
    let pixels = try Tool.djpeg(try Fixture.bytes("unaligned/33x47-tag-5.jpg"))
    let scratch = try Scratch()
    let path = try scratch.write(Array(script.utf8), to: "script")
    let options = ["-sample", sampling, "-restart", "1", "-scans", path]
    let jpeg = try Tool.run("cjpeg", options, input: pixels)
    #expect(jpeg.status == 0, "\(jpeg.errorText)")
    let tally = try examine(try ImageFile(jpeg.output), rounds: 600, seed: 0x5E2)
    #expect(tally.read > 10 && tally.refused > 200, "\(tally)")
  }

  @Test(
    arguments: [[0x22, 0x11, 0x11], [0x21, 0x11, 0x11], [0x11], [0x11, 0x11, 0x11]] as [[UInt8]]
  )
  func `The same is true of scans that no encoder writes`(factors: [UInt8]) throws {
    var generator = SeededGenerator(seed: factors.reduce(7) { $0 * 256 + UInt64($1) })
    var sum = Tally()
    for round in 0..<4 {
      let blank = try BlankImage(factors, isProgressive: round > 0, using: &generator)
      let image = blank.image(largest: 60, sparsity: 12, using: &generator)
      let photo = try ImageFile(try blank.coded(image))
      let tally = try examine(photo, rounds: 300, seed: UInt64(round))
      sum.read += tally.read
      sum.refused += tally.refused
    }
    #expect(sum.read > 10 && sum.refused > 200, "\(sum)")
  }

  @Test(arguments: [
    "coding/restart-rows.jpg", "coding/progressive.jpg", "orientation/aligned-6.jpg",
  ])
  func `Stray bytes after the last MCU are reported, whether libjpeg warns of them or not`(
    path: String
  ) throws {
    let photo = try ImageFile(try Fixture.bytes(path))
    var tally = Tally()
    var warnings = 0
    var generator = SeededGenerator(seed: 4)
    for scan in photo.container.scans.suffix(1) {
      for count in 1...8 {
        for _ in 0..<5 {
          let more = (0..<count).map { _ in UInt8.random(in: 0...254, using: &generator) }
          var bytes = photo.bytes
          bytes.insert(contentsOf: more, at: scan.data.upperBound)
          let file = try ImageFile(bytes)
          if (try? file.transformedByTurboJPEG()) == nil { warnings += 1 }
          examine(bytes, "\(more) at \(scan.data.upperBound)", &tally)
        }
      }
    }
    #expect(tally.strayBytes == 40 && tally.refused == 0)
    #expect(warnings < tally.strayBytes)
  }

  /// Damages a file in many ways.
  private func examine(_ photo: ImageFile, rounds: Int, seed: UInt64) throws -> Tally {
    let scans = photo.container.scans
    guard let end = scans.last?.data.upperBound, let start = scans.first?.data.lowerBound else {
      return Tally()
    }
    let rounds = Effort.rounds(rounds)
    // Only the data of scans.
    let places = scans.flatMap { Array($0.data) }
    var generator = SeededGenerator(seed: seed)
    var tally = Tally()
    for length in start..<end {
      examine(Array(photo.bytes[..<length]), "cut at \(length)", &tally)
    }
    for round in 0..<rounds {
      var bytes = photo.bytes
      for _ in 0...round % 3 {
        // Headers and tables as well.
        let place =
          round.isMultiple(of: 3)
          ? Int.random(in: 2..<end, using: &generator)
          : places[Int.random(in: places.indices, using: &generator)]
        bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      }
      examine(bytes, difference(photo.bytes, bytes), &tally)
    }
    for _ in 0..<rounds / 3 {
      let data = scans[Int.random(in: scans.indices, using: &generator)].data
      let cuts = (0..<2).map { _ in Int.random(in: data, using: &generator) }.sorted()
      let (a, b) = (cuts[0], cuts[1])
      examine(Array(photo.bytes[..<a] + photo.bytes[b...]), "without \(a)..<\(b)", &tally)
      examine(Array(photo.bytes[..<b] + photo.bytes[a...]), "\(a)..<\(b) twice", &tally)
    }
    return tally
  }

  /// Reads a file with both decoders.
  private func examine(_ bytes: [UInt8], _ what: @autoclosure () -> String, _ tally: inout Tally) {
    guard let photo = try? ImageFile(bytes), (try? photo.parameters()) != nil,
      photo.frame.width * photo.frame.height <= 1 << 20
    else { return }
    guard let (own, info) = try? photo.decode() else {
      tally.refused += 1
      return
    }
    do {
      // Coefficients may be larger than TurboJPEG can write, so it decodes Upright's encoding of them.
      let stream = try photo.withoutStrayBytes().stream
      let expected = try LosslessTransform.digests(stream, transformedBy: .none)
      let encoder = ImageEncoder(try photo.parameters(), frame: photo.frame)
      let bytes = try encoder.edits(own, tables: .optimal).applied(to: photo.bytes)
      let found = try LosslessTransform.digests(ImageFile(bytes).stream, transformedBy: .none)
      #expect(found == expected, "\(what())")
      tally.read += 1
      if info.strayByteCount > 0 { tally.strayBytes += 1 }
    } catch TransformError.unknownSampling {
    } catch { Issue.record("TurboJPEG does not read what we read: \(error), \(what())") }
  }
}
