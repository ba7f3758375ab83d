import SystemPackage

/// What the listing of a directory tells about each of its files.
struct Surroundings: Sendable {
  private let hasSidecars: Bool
  private let hasNeighbours: Bool
  /// The names of files that differ in their endings only; nil if they are not looked for.
  private let pairs: [[UInt8]: [[UInt8]]]?

  init(_ entries: [DirectoryEntry], _ walk: Walk) {
    hasSidecars = entries.contains { entry in
      walk.sidecars.contains { NameRule.hasEnding(entry.name, $0) }
    }
    hasNeighbours = entries.contains { entry in
      walk.neighbours.contains { NameRule.hasEnding(entry.name, $0) }
    }
    pairs =
      walk.findsPairs
      ? NameRule.pairs(entries.map { $0.name }).mapValues { $0.sorted { $0.precedes($1) } } : nil
  }

  /// Adds what is known about a file with this name.
  func describe(_ found: inout Walk.Found, _ name: [UInt8]) {
    found.mayHaveSidecar = hasSidecars
    found.mayHaveNeighbours = hasNeighbours
    found.pairedWith = pairs.map { pairs in
      let stem = pairs.isEmpty ? nil : NameRule.stemOfPhoto(name)
      return (stem.flatMap { pairs[$0] } ?? []).filter { $0 != name }
    }
  }
}

/// The directory of files that are named one after the other.
///
/// Without a listing, what is beside a file is found by looking for each possible name, several dozen of them. So the
/// directory is listed once it has given a few files, and while it does not change.
package struct NamedDirectory: Sendable {
  private var path: FilePath?
  private var count = 0
  private var listed: Listing?

  private struct Listing: Sendable {
    var surroundings: Surroundings
    /// The directory's status before it was listed.
    var identity: FileIdentity
    /// When that was, in seconds since 1970.
    var time: Int64
  }

  /// The number of files after which the directory is listed; it may have many others.
  private static let few = 3
  /// How many seconds ago a directory must have been changed, so that its times show the next change.
  private static let settling: Int64 = 2
  /// For how many seconds a listing is used; not all file systems give directories new times.
  private static let lifetime: Int64 = 10

  package init() {}

  /// Adds what is known about a file that was named.
  package mutating func describe(_ found: inout Walk.Found, _ walk: Walk) {
    guard let name = found.path.lastComponent else { return }
    let directory = found.path.removingLastComponent()
    if directory != path {
      (path, count, listed) = (directory, 0, nil)
    }
    count += 1
    if count == Self.few { listed = Self.list(directory, walk) }
    if let listed, listed.time + Self.lifetime < Syscalls.secondsSince1970 {
      self.listed = Self.list(directory, walk)
    }
    guard let known = listed else { return }
    guard let now = Self.status(directory), now.isSameListing(as: known.identity) else {
      // Perhaps this run itself changes it, then it would be listed again for each file.
      listed = nil
      return
    }
    known.surroundings.describe(&found, name.bytes)
  }

  private static func list(_ directory: FilePath, _ walk: Walk) -> Listing? {
    let now = Syscalls.secondsSince1970
    guard let identity = status(directory),
      max(identity.modificationTime.seconds, identity.changeTime.seconds) + settling < now,
      let entries = try? Syscalls.list(place(directory))
    else { return nil }
    return Listing(surroundings: Surroundings(entries, walk), identity: identity, time: now)
  }

  private static func status(_ directory: FilePath) -> FileIdentity? {
    try? Syscalls.status(place(directory), followingLinks: true)
  }

  private static func place(_ directory: FilePath) -> FilePath {
    directory.isEmpty ? "." : directory
  }
}

extension FileIdentity {
  /// Whether a directory has had the same entries since.
  fileprivate func isSameListing(as other: FileIdentity) -> Bool {
    key == other.key && modificationTime == other.modificationTime && changeTime == other.changeTime
  }
}
