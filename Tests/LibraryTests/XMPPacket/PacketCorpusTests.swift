import FileBytes
import Fixtures
import FoundationEssentials
import Testing
import XMPPacket

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

private let corpus = RealPhotos.folder

@Suite(.enabled(if: corpus != nil, "UPRIGHT_CORPUS names no folder: set it to a folder of photos"))
struct `Packets of real photos` {
  private let folder = corpus ?? ""

  /// Every JPEG of the corpus with the packets of all its images, in file order.
  private func files() throws -> [(path: String, packets: [[UInt8]])] {
    let manager = FileManager.default
    var files: [(String, [[UInt8]])] = []
    for name in try manager.subpathsOfDirectory(atPath: folder).sorted()
    where [".jpg", ".jpeg"].contains(where: name.lowercased().hasSuffix) {
      let path = folder + "/" + name
      guard let data = manager.contents(atPath: path) else { continue }
      let found = packets(in: Array(data))
      if !found.isEmpty { files.append((path, found)) }
    }
    return files
  }

  @Test func `every packet is read, and every value can be replaced alone`() throws {
    var packetCount = 0
    var propertyCount = 0
    var foreignCount = 0
    var refused: [String] = []
    for (path, packets) in try files() {
      for bytes in packets {
        packetCount += 1
        do throws(XMPError) {
          let packet = try XMPPacket(bytes)
          propertyCount += packet.properties.count
          #expect(packet.edits([]).isEmpty)
          check(packet, path: path)
        } catch {
          if case .unsupportedEncoding = error { foreignCount += 1 }
          refused.append("\(path): \(error)")
        }
      }
    }
    print("\(packetCount) packets, \(propertyCount) properties, \(refused.count) refused")
    print(refused.joined(separator: "\n"))
    #expect(packetCount > 0)
    // Few packets are damaged, even among the test files of other decoders. UTF-16 is not damage.
    #expect((refused.count - foreignCount) * 10 <= packetCount)
  }

  private func check(_ packet: XMPPacket, path: String) {
    for (index, property) in packet.properties.enumerated().prefix(40) {
      let raw = String(decoding: packet.bytes[property.valueRange], as: UTF8.self)
      if !raw.contains("&"), !raw.contains("<"), !raw.contains("\n"), !raw.contains("\t") {
        #expect(raw == property.value, "\(path)")
      }
      for value in [property.value + "0", "Z"] {
        let edits = packet.edits([XMPValue(property, value, field: "")])
        guard let again = try? XMPPacket(edits.applied(to: packet.bytes)) else {
          Issue.record("\(path): \(property.name) cannot be read after an edit")
          continue
        }
        var expected = packet.properties.map(\.value)
        expected[index] = value
        #expect(again.properties.map(\.value) == expected, "\(path)")
      }
    }
  }

  @Test func `exiftool reads the same orientation and dimensions`() throws {
    let tags = [
      ("Orientation", XMPNamespace.tiff, "Orientation"),
      ("ImageWidth", XMPNamespace.tiff, "ImageWidth"),
      ("ImageHeight", XMPNamespace.tiff, "ImageLength"),
      ("ExifImageWidth", XMPNamespace.exif, "PixelXDimension"),
      ("ExifImageHeight", XMPNamespace.exif, "PixelYDimension"),
    ]
    let options = tags.map { "-XMP-\($0.1 == XMPNamespace.tiff ? "tiff" : "exif"):\($0.0)" }
    let output = unsafe run(
      "exiftool -j -n -q -r -ext jpg -ext jpeg \(options.joined(separator: " ")) '\(folder)'"
    )
    try #require(!output.isEmpty, "exiftool is not installed: tools/setup --tests")
    let records = try JSONDecoder().decode([[String: Scalar]].self, from: Data(output))
    var byPath: [String: [String: Scalar]] = [:]
    for record in records { byPath[record["SourceFile"]?.text ?? ""] = record }
    var compared = 0
    for (path, packets) in try files() {
      guard let record = byPath[path], let packet = try? XMPPacket(packets[0]),
        // exiftool reads extended XMP with the packet.
        !packet.properties.contains(where: { $0.name == "HasExtendedXMP" })
      else { continue }
      for (tag, namespace, name) in tags {
        let own = packet.properties(namespace, name).first?.value
        let theirs = record[tag]?.text
        if own != nil || theirs != nil { compared += 1 }
        #expect(own == theirs, "\(path): \(name)")
      }
    }
    print("\(compared) values compared with exiftool")
    #expect(compared > 0)
  }

  @unsafe private func run(_ command: String) -> [UInt8] {
    guard let stream = unsafe popen(command + " 2>/dev/null", "r") else { return [] }
    var output: [UInt8] = []
    while case let byte = unsafe getc(stream), byte != EOF { output.append(UInt8(byte)) }
    _ = unsafe pclose(stream)
    return output
  }
}

/// A JSON string or number, as text.
private struct Scalar: Decodable {
  var text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      text = String(number)
    } else if let number = try? container.decode(Double.self) {
      text = String(number)
    } else {
      text = try container.decode(String.self)
    }
  }
}
