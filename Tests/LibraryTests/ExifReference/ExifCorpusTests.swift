import ExifReference
import Fixtures
import Foundation
import Testing

@Suite(
  "Corpus",
  .enabled(
    if: RealPhotos.folder != nil,
    "UPRIGHT_CORPUS names no folder: set it to a folder of photos"
  )
)
struct ExifCorpusTests {
  @Test("Blocks of real photos are read, and positions agree with exiftool")
  func agrees() throws {
    var (blocks, read, compared) = (0, 0, 0)
    for file in RealPhotos.jpegs(run: 0) {
      guard let payload = firstExif(in: [UInt8](try Data(contentsOf: file))) else { continue }
      blocks += 1
      guard let reference = ExifReference(app1Payload: payload) else { continue }
      read += 1
      #expect(reference.tags.allSatisfy { !$0.name.isEmpty })
      guard let position = reference.position, compared < 12,
        let expected = try exiftoolPosition(file)
      else { continue }
      compared += 1
      #expect(abs(position.latitude - expected.latitude) < 1e-6, "\(file.path)")
      #expect(abs(position.longitude - expected.longitude) < 1e-6, "\(file.path)")
    }
    print("corpus: \(blocks) Exif blocks, \(read) read, \(compared) positions compared")
    #expect(read > 0)
  }

  /// The payload of the first APP1 segment before the scan that carries Exif.
  private func firstExif(in file: [UInt8]) -> [UInt8]? {
    var offset = 2
    while offset + 4 <= file.count, file[offset] == 0xFF, file[offset + 1] != 0xDA {
      let length = Int(file[offset + 2]) << 8 | Int(file[offset + 3])
      let end = offset + 2 + length
      guard length >= 2, end <= file.count else { return nil }
      let payload = file[offset + 4..<end]
      if file[offset + 1] == 0xE1, payload.starts(with: "Exif\0\0".utf8) { return Array(payload) }
      offset = end
    }
    return nil
  }

  /// Returns exiftool's reading of the GPS directory; nil if it is not installed, or reads no position.
  private func exiftoolPosition(_ file: URL) throws -> (latitude: Double, longitude: Double)? {
    struct Answer: Decodable {
      var latitude: Double?
      var longitude: Double?

      enum CodingKeys: String, CodingKey {
        case latitude = "GPSLatitude"
        case longitude = "GPSLongitude"
      }
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["exiftool", "-n", "-GPSLatitude", "-GPSLongitude", "-json", file.path]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    guard let answer = try JSONDecoder().decode([Answer].self, from: data).first,
      let latitude = answer.latitude, let longitude = answer.longitude
    else { return nil }
    return (latitude, longitude)
  }
}
