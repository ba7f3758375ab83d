import FileBytes
import JPEGCore

// The macros of Swift Testing do not accept spans, so tests pass arrays.

extension Container {
  init(
    _ bytes: [UInt8],
    at start: Int = 0,
    extent: Extent = .image
  ) throws(ContainerError) {
    try self.init(bytes.span, at: start, extent: extent)
  }

  func segments(_ kind: SegmentKind, in bytes: [UInt8]) -> [Segment] {
    segments(kind, in: bytes.span)
  }
}

extension Segment {
  func kind(in bytes: [UInt8]) -> SegmentKind { kind(in: bytes.span) }
}

extension Frame {
  init(_ segment: Segment, in bytes: [UInt8]) throws(ContainerError) {
    try self.init(segment, in: bytes.span)
  }
}

extension ScanHeader {
  init(_ segment: Segment, in bytes: [UInt8], frame: Frame) throws(ContainerError) {
    try self.init(segment, in: bytes.span, frame: frame)
  }
}

extension HuffmanTables {
  init(_ segment: Segment, in bytes: [UInt8]) throws(ContainerError) {
    try self.init(segment, in: bytes.span)
  }
}

extension QuantizationTables {
  init(_ segment: Segment, in bytes: [UInt8]) throws(ContainerError) {
    try self.init(segment, in: bytes.span)
  }

  static func transposed(_ table: Table, in bytes: [UInt8]) -> [UInt8] {
    transposed(table, in: bytes.span)
  }
}

extension TIFFBlock {
  init?(_ bytes: [UInt8], in range: Range<Int>) { self.init(bytes.span, in: range) }

  func integer(_ entry: Entry, _ bytes: [UInt8]) -> Int64? { integer(entry, bytes.span) }

  func integer(_ directory: Kind, _ tag: UInt16, _ bytes: [UInt8]) -> Int64? {
    integer(directory, tag, bytes.span)
  }

  func edit(_ entry: Entry, to new: Int64, field: String, _ bytes: [UInt8]) -> Edit? {
    edit(entry, to: new, field: field, bytes.span)
  }

  func orientationEdits(_ bytes: [UInt8]) -> [Edit] { orientationEdits(bytes.span) }
}

extension [UInt8] {
  func uint16(at offset: Int) -> UInt16? { span.uint16(at: offset) }
}
