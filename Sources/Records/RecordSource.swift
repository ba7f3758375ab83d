internal import FileSystem
internal import SystemPackage

/// A file of records: text, or gzip members (RFC 1952) of whole lines, as `tools/records/pack-records` makes them.
///
/// Members are small, so that one line can be read again without the others, and damage costs the lines of one member.
struct RecordSource: Sendable {
  /// Where a line is.
  struct Place: Hashable, Sendable {
    /// The member that has the line; nil in text.
    var member: Range<Int>?
    /// The line, without its end, in the member's content or in the file.
    var line: Range<Int>
  }

  /// A line, or what is there instead.
  struct Line {
    /// The line without its end; empty where a member is damaged.
    var bytes: [UInt8]
    /// Its number, from 1.
    var number: Int
    var place: Place
    /// Whether all of the line was read.
    var isWhole: Bool
  }

  let path: FilePath
  private let isPacked: Bool

  /// How every gzip member begins whose content is deflated.
  private static let memberStart: [UInt8] = [0x1F, 0x8B, 8]
  /// More damaged members than this are not looked for: what is left of the file counts as one.
  private static let maxDamage = 1_000
  /// The most bytes of a member's content: its last line may be one of the longest.
  private static let maxContent = RecordLine.maxLength + 1 << 16

  /// Opens a file of records.
  ///
  /// - Throws: ``FileError``, also for what is no regular file, which could not be read again.
  init(_ path: FilePath) throws(FileError) {
    self.path = path
    isPacked = try FileReader(path).read(at: 0, count: 3) == Self.memberStart
  }

  /// Reads all lines, one after the other.
  ///
  /// - Parameter body: Takes a line.
  /// - Throws: ``FileError``.
  func forEachLine(_ body: (Line) -> Void) throws(FileError) {
    guard isPacked else {
      for line in Lines(path, limit: RecordLine.maxLength) {
        let line = try line.get()
        let place = Place(member: nil, line: line.range)
        body(Line(bytes: line.bytes, number: line.number, place: place, isWhole: line.isWhole))
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
        body(Line(bytes: [], number: number, place: place, isWhole: false))
        offset = next
        continue
      }
      let member = offset..<offset + size
      for line in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if !line.isEmpty {
          let place = Place(member: member, line: line.startIndex..<line.endIndex)
          body(Line(bytes: Array(line), number: number, place: place, isWhole: true))
        }
        number += 1
      }
      // The last line end begins no line.
      number -= 1
      offset = member.upperBound
    }
  }

  /// Reads a line again.
  ///
  /// - Returns: The line, or nil where the file was changed meanwhile.
  /// - Throws: ``FileError``.
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

  /// The member at an offset, of which more and more is read until it is whole.
  private static func member(
    of file: borrowing FileReader,
    at offset: Int
  ) throws(FileError) -> Compression.Member {
    var count = 1 << 16
    while true {
      let bytes = try file.read(at: offset, count: count)
      let member = Compression.member(bytes, limit: maxContent)
      // Nothing that is deflated is much longer than what it stands for.
      guard case .cut = member, bytes.count == count, count < 2 * maxContent else { return member }
      count *= 4
    }
  }

  /// The offset of the member after one that is damaged; the end of the file where there is none.
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
