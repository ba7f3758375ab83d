/// A small Exif block for tests, laid out in either byte order.
struct ExifBlock {
  /// A tag with its raw value.
  struct Entry {
    var tag: UInt16
    var format: UInt16
    var components: Int
    var bytes: [UInt8]
  }

  var isLittleEndian: Bool
  var ifd0: [Entry] = []
  var ifd1: [Entry] = []
  var exif: [Entry] = []
  var gps: [Entry] = []

  func ascii(_ tag: UInt16, _ text: String) -> Entry {
    Entry(tag: tag, format: 2, components: text.utf8.count + 1, bytes: Array(text.utf8) + [0])
  }

  func byte(_ tag: UInt16, _ value: UInt8) -> Entry {
    Entry(tag: tag, format: 1, components: 1, bytes: [value])
  }

  func short(_ tag: UInt16, _ value: UInt16) -> Entry {
    Entry(tag: tag, format: 3, components: 1, bytes: number(Int(value), 2))
  }

  func rationals(_ tag: UInt16, _ values: [(Int, Int)]) -> Entry {
    Entry(
      tag: tag,
      format: 5,
      components: values.count,
      bytes: values.flatMap { number($0.0, 4) + number($0.1, 4) }
    )
  }

  func undefined(_ tag: UInt16, _ bytes: [UInt8]) -> Entry {
    Entry(tag: tag, format: 7, components: bytes.count, bytes: bytes)
  }

  /// The APP1 payload: signature, header, and IFD0, IFD1, Exif and GPS directories as needed.
  var app1Payload: [UInt8] {
    let pointers = (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1)
    let start1 = 8 + size(ifd0, pointers: pointers)
    let startExif = start1 + size(ifd1)
    let startGPS = startExif + size(exif)
    var main = ifd0
    if !exif.isEmpty { main.append(pointer(0x8769, to: startExif)) }
    if !gps.isEmpty { main.append(pointer(0x8825, to: startGPS)) }
    return Array("Exif\0\0".utf8) + header(directoryAt: 8)
      + directory(main, at: 8, next: ifd1.isEmpty ? 0 : start1)
      + directory(ifd1, at: start1) + directory(exif, at: startExif)
      + directory(gps, at: startGPS)
  }

  func header(directoryAt offset: Int) -> [UInt8] {
    Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(offset, 4)
  }

  func number(_ value: Int, _ count: Int) -> [UInt8] {
    let littleEndian = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? littleEndian : littleEndian.reversed()
  }

  private func pointer(_ tag: UInt16, to offset: Int) -> Entry {
    Entry(tag: tag, format: 4, components: 1, bytes: number(offset, 4))
  }

  private func size(_ entries: [Entry], pointers: Int = 0) -> Int {
    let outside = entries.filter { $0.bytes.count > 4 }.map(\.bytes.count).reduce(0, +)
    return 2 + 12 * (entries.count + pointers) + 4 + outside
  }

  private func directory(_ entries: [Entry], at offset: Int, next: Int = 0) -> [UInt8] {
    var table = number(entries.count, 2)
    var values: [UInt8] = []
    let valuesStart = offset + 2 + 12 * entries.count + 4
    for entry in entries {
      table += number(Int(entry.tag), 2) + number(Int(entry.format), 2)
      table += number(entry.components, 4)
      if entry.bytes.count > 4 {
        table += number(valuesStart + values.count, 4)
        values += entry.bytes
      } else {
        table += entry.bytes + Array(repeating: 0, count: 4 - entry.bytes.count)
      }
    }
    return table + number(next, 4) + values
  }
}
