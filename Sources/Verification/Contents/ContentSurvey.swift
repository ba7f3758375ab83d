internal import FileBytes
internal import Upright

/// Lists what a comparison of two files does not interpret, and the containers that cannot be read to their end.
///
/// It reads the original, because the same bytes of the result were compared with them. All reading is its own, except for
/// segments, XMP and the headers of boxes.
struct ContentSurvey {
  let file: [UInt8]
  /// Containers that are not readable to their end.
  private(set) var problems: [Observation] = []
  /// Thumbnails outside of Exif, which nothing transforms.
  private(set) var thumbnails: [RegisteredData] = []
  private var entries: [Entry] = []
  private var indices: [Key: Int] = [:]
  private var counts: [Verdict.Unread.Kind: Int] = [:]
  /// How many bytes of containers may still be read: containers may share bytes.
  private var room: Int
  private var isExhausted = false
  /// The digests of extended XMP to which packets of the current image refer, and where.
  var references: [(digest: [UInt8], offset: Int)] = []
  /// The offsets of registered data, which is named apart.
  private let registered: [Int]

  private struct Key: Hashable {
    var kind: Verdict.Unread.Kind
    var name: String
  }

  private struct Entry {
    var key: Key
    var count: Int
    var offset: Int
    var details: [String]
  }

  /// The maximum number of names of a kind; all others are one entry.
  private static let maxNames = 50
  /// The maximum number of properties and other details that the text of an entry has.
  private static let maxDetails = 8
  /// How many times the bytes of a file are read in sum.
  private static let maxPasses = 4
  /// How deep containers may be in each other.
  static let maxDepth = 4

  init(_ file: [UInt8], registered: [RegisteredData]) {
    self.file = file
    self.registered = registered.map { $0.offset }
    room = file.count * Self.maxPasses + 1 << 20
  }

  /// What is not interpreted, one entry for each kind and name, in file order.
  var unread: [Verdict.Unread] {
    entries.ordered { $0.offset }.map { entry in
      let (kind, name) = (entry.key.kind, entry.key.name)
      var text = "\(kind.text) \(name)"
      if !entry.details.isEmpty {
        let isCut = entry.details.count > Self.maxDetails
        text += ": " + entry.details.prefix(Self.maxDetails).joined(separator: ", ")
        text += isCut ? ", …" : ""
      } else if entry.count > 1 {
        text += " (\(entry.count))"
      }
      return Verdict.Unread(
        kind: kind,
        name: name,
        count: entry.count,
        offset: entry.offset,
        text: text
      )
    }
  }

  /// Adds an occurrence of data that is not interpreted.
  mutating func add(
    _ kind: Verdict.Unread.Kind,
    _ name: String,
    at offset: Int,
    detail: String? = nil
  ) {
    var key = Key(kind: kind, name: name)
    if indices[key] == nil, counts[kind, default: 0] >= Self.maxNames { key.name = "others" }
    let index: Int
    if let known = indices[key] {
      index = known
      entries[index].count += 1
    } else {
      index = entries.count
      indices[key] = index
      counts[kind, default: 0] += 1
      entries.append(Entry(key: key, count: 1, offset: offset, details: []))
    }
    if let detail, entries[index].details.count <= Self.maxDetails,
      !entries[index].details.contains(detail)
    {
      entries[index].details.append(detail)
    }
  }

  /// Notes a container that cannot be read to its end.
  mutating func addProblem(_ container: String, _ problem: String, at offset: Int) {
    guard problems.count < Self.maxNames else { return }
    let text = "\(container) cannot be read to the end: \(problem)"
    problems.append(.note(.containerUnread, text, original: offset))
  }

  /// Adds a thumbnail outside of Exif.
  mutating func addThumbnail(in name: String, at offset: Int) {
    guard thumbnails.count < Self.maxNames else { return }
    thumbnails.append(
      RegisteredData(
        kind: "thumbnail",
        name: "the thumbnail in \(name)",
        effect: .stale,
        offset: offset
      )
    )
  }

  /// Returns a part of a container; nil if it may not be read besides all others.
  mutating func part(
    of container: ContainerBytes,
    _ range: Range<Int>,
    _ depth: Int
  ) -> ContainerBytes? {
    guard depth <= Self.maxDepth, range.count <= room else {
      if !isExhausted {
        let offset = container.offset(of: range.lowerBound)
        addProblem("the metadata", "its containers share bytes, or are too deep", at: offset)
      }
      isExhausted = true
      return nil
    }
    room -= range.count
    return container.part(range)
  }

  /// Returns whether registered data, which is named apart, begins in a range.
  func isRegistered(_ range: Range<Int>) -> Bool { registered.contains { range.contains($0) } }

  /// Returns the first name in bytes: at most 32 printable characters, within the first 16 bytes; nil if there is none.
  static func label(_ bytes: some Collection<UInt8>) -> String? {
    let isPrintable: (UInt8) -> Bool = { (0x20..<0x7F).contains($0) }
    for start in 0..<12 {
      let label = bytes.dropFirst(start).prefix(32).prefix(while: isPrintable)
      if label.count >= 3 { return String(decoding: Array(label), as: UTF8.self) }
    }
    return nil
  }
}
