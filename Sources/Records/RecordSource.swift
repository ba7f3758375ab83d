internal import FileSystem
internal import SystemPackage

/// A record file: text, or gzip members (RFC 1952) of whole lines as made by `tools/records/upright-pack-records`.
///
/// Members are small, so that a line can be read again without the others, and damage affects only the lines of
/// one member.
struct RecordSource: Sendable {
  /// The position of a line.
  struct Place: Hashable, Sendable {
    /// The range of the member that contains the line; nil in text.
    var member: Range<Int>?
    /// The range of the line, without its end, in the member's content or in the file.
    var line: Range<Int>
  }

  /// A line, or a damaged member in its place.
  struct Line {
    /// The line without its end; empty if a member is damaged.
    var bytes: [UInt8]
    /// Its number, from 1.
    var number: Int
    var place: Place
    /// Whether the whole line was read.
    var isWhole: Bool
  }

  let path: FilePath
  private let isPacked: Bool

  /// The first bytes of every gzip member with deflated content.
  private static let memberStart: [UInt8] = [0x1F, 0x8B, 8]
  /// The maximum number of damaged members to report; the rest of the file counts as one.
  private static let maxDamage = 1_000
  /// The maximum number of bytes of a member's content: its last line may have the maximum length.
  private static let maxContent = RecordLine.maxLength + 1 << 16

  /// Opens a record file.
  ///
  /// - Throws: ``FileError``, also for a file that is not regular, which could not be read again.
  init(_ path: FilePath) throws(FileError) {
    self.path = path
    let file = try FileReader(path)
    let start = try file.read(at: 0, count: 1 << 16).drop { $0 == UInt8(ascii: "\n") }
    // No line of text contains these bytes, so a packed file is recognized even if its first member is damaged.
    isPacked =
      if start.first == UInt8(ascii: "{") { false } else {
        try Self.nextMember(of: file, after: -1) < file.identity.size
      }
  }

  /// Reads all lines in order, until `body` throws.
  func forEachLine(_ body: (Line) throws(FileError) -> Void) throws(FileError) {
    guard isPacked else {
      for line in Lines(path, limit: RecordLine.maxLength) {
        let line = try line.get()
        let place = Place(member: nil, line: line.range)
        try body(Line(bytes: line.bytes, number: line.number, place: place, isWhole: line.isWhole))
      }
      return
    }
    let file = try FileReader(path)
    var (offset, number, damage) = (0, 1, 0)
    while offset < file.identity.size {
      guard case .whole(let content, let size) = try Self.member(of: file, at: offset) else {
        damage += 1
        let next =
          damage < Self.maxDamage
          ? try Self.nextMember(of: file, after: offset) : file.identity.size
        let place = Place(member: offset..<next, line: 0..<0)
        try body(Line(bytes: [], number: number, place: place, isWhole: false))
        offset = next
        continue
      }
      let member = offset..<offset + size
      for line in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if !line.isEmpty {
          let place = Place(member: member, line: line.startIndex..<line.endIndex)
          try body(Line(bytes: Array(line), number: number, place: place, isWhole: true))
        }
        number += 1
      }
      // The last line end does not start a line.
      number -= 1
      offset = member.upperBound
    }
  }

  /// Reads a line again.
  ///
  /// - Returns: The line, or nil if the file changed meanwhile.
  func line(at place: Place) throws(FileError) -> [UInt8]? {
    let file = try FileReader(path)
    guard let member = place.member else {
      return try file.read(at: place.line.lowerBound, count: place.line.count)
    }
    let bytes = try file.read(at: member.lowerBound, count: member.count)
    guard case .whole(let content, _) = Compression.member(bytes, limit: Self.maxContent),
      place.line.upperBound <= content.count
    else { return nil }
    return Array(content[place.line])
  }

  /// Returns the member at an offset, of which more is read until it is complete.
  private static func member(
    of file: borrowing FileReader,
    at offset: Int
  ) throws(FileError) -> Compression.Member {
    var count = 1 << 16
    while true {
      let bytes = try file.read(at: offset, count: count)
      let member = Compression.member(bytes, limit: maxContent)
      // Deflated data is never much longer than its content.
      guard case .cut = member, bytes.count == count, count < 2 * maxContent else { return member }
      count *= 4
    }
  }

  /// Returns the offset of the next member after a damaged one; the end of the file if there is none.
  private static func nextMember(
    of file: borrowing FileReader,
    after offset: Int
  ) throws(FileError) -> Int {
    var start = offset + 1
    while case let piece = try file.read(at: start, count: 1 << 16), piece.count >= 3 {
      if let hit = piece.indices.dropLast(2).first(where: {
        piece[$0...].starts(with: memberStart)
      }) {
        return start + hit
      }
      start += piece.count - 2
    }
    return file.identity.size
  }
}
