internal import FileBytes
internal import ISOBMFF

/// The bytes that the offsets in a directory of a TIFF file refer to, besides values and directories.
enum TIFFData {
  /// The tags of offsets and of the lengths that belong to them: strips, tiles, a JPEG stream, free bytes.
  private static let pairs: [(offsets: UInt16, lengths: UInt16)] = [
    (ExifTag.stripOffsets, ExifTag.stripByteCounts), (0x144, 0x145),
    (ExifTag.thumbnailOffset, ExifTag.thumbnailLength), (0x120, 0x121),
  ]

  /// The tables of JPEG compression in TIFF 6.0, section 22, with the bytes of their values before each table.
  private static let tables: [(offsets: UInt16, fixed: Int, isHuffman: Bool)] = [
    (0x207, 64, false), (0x208, 16, true), (0x209, 16, true),
  ]

  /// Finds the ranges within the file.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - room: How many elements its lists of offsets may have, and then those of others. All lists of a file have no
  ///     more than it has bytes, unless they are within each other and could be read for hours.
  ///   - file: The file.
  /// - Returns: The ranges.
  /// - Throws: An error of the content, also if the lists have more elements.
  static func find<Failure>(
    in directory: TIFFDirectory,
    _ room: inout Int,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    func add(_ start: Int, _ length: Int, _ size: Int) {
      if start < size { found.append(start..<start + min(length, size - start)) }
    }
    for entry in directory.entries where entry.value != nil {
      let isList = pairs.contains { entry.tag == $0.offsets || entry.tag == $0.lengths }
      if isList { room -= entry.count }
    }
    guard room >= 0 else {
      throw .content(.limit(at: directory.start, "the lists of offsets share their bytes"))
    }
    for (tag, lengths) in pairs {
      let lengths = try directory.integers(lengths, &file, maxCount: .max)
      for entry in directory.entries where entry.tag == tag {
        let offsets = try directory.integers(entry, &file, maxCount: .max)
        for (index, start) in offsets.enumerated() where start != 0 {
          let length = index < lengths.count ? lengths[index].length : 0
          // Readers compute a length that is missing or 0.
          let computed = length == 0 ? try self.length(directory, &file) ?? file.size : length
          add(start.length, computed, file.size)
        }
      }
    }
    for (tag, fixed, isHuffman) in tables {
      for start in try directory.integers(tag, &file, maxCount: 16) {
        let table = try file.bytes(at: start.length, upTo: fixed)
        add(start.length, fixed + (isHuffman ? table.reduce(0) { $0 + Int($1) } : 0), file.size)
      }
    }
    return found
  }

  /// Returns the length of a strip that is not compressed; nil of another one.
  private static func length<Failure>(
    _ directory: TIFFDirectory,
    _ file: inout FileWindow<Failure>
  ) throws(HeaderError<Failure>) -> Int? {
    func value(_ tag: UInt16, _ absent: Int64) throws(HeaderError<Failure>) -> Int64 {
      try directory.integers(tag, &file).first ?? absent
    }
    guard try value(ExifTag.compression, 1) == 1 else { return nil }
    let height = try value(ExifTag.imageLength, 0)
    let isPlanar = try value(ExifTag.planarConfiguration, 1) == 2
    let factors = [
      try value(ExifTag.imageWidth, 0), isPlanar ? 1 : try value(ExifTag.samplesPerPixel, 1),
      try value(ExifTag.bitsPerSample, 1),
    ]
    let rows = min(try value(ExifTag.rowsPerStrip, height), height)
    // Larger numbers are those of no sound file.
    let limits: [Int64] = [1 << 24, 1 << 10, 1 << 8]
    guard rows < 1 << 24, zip(factors, limits).allSatisfy({ (1..<$1).contains($0) }) else {
      return nil
    }
    // Less than 2 to the power of 42 bits in a row, and of 63 in a strip.
    let row = (factors.reduce(1, *) + 7) / 8
    return (row * rows).length
  }
}
