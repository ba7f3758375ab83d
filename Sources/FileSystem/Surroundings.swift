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
      ? NameRule.pairs(entries.filter { $0.kind != .directory }.map(\.name))
        .mapValues { $0.sorted { $0.precedes($1) } } : nil
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
/// directory is listed if it does not have too many entries for that, and again if it changes.
package struct NamedDirectory: Sendable {
  private var path: FilePath?
  private var count = 0
  /// The number of files at which the directory is listed.
  private var next = 0
  private var listed: Listing?
  /// How many seconds ago a directory must have been changed, so that its times show the next change.
  private let settling: Int64
  /// For how long a listing is used; not all file systems give directories new times.
  private let lifetime: Duration

  private struct Listing: Sendable {
    var surroundings: Surroundings
    var names: Set<[UInt8]>
    /// The directory's status before it was listed.
    var identity: FileIdentity
    var time = ContinuousClock.now
  }

  /// The number of files after which the directory is listed for the first time.
  private static let few = 3
  /// As many entries are read in the time in which the names beside one file are looked for.
  private static let entriesPerFile = 64

  package init(settling: Int64 = 2, lifetime: Duration = .seconds(10)) {
    (self.settling, self.lifetime) = (settling, lifetime)
  }

  /// Adds what is known about a file that was named.
  package mutating func describe(_ found: inout Walk.Found, _ walk: Walk) {
    guard let name = found.path.lastComponent?.bytes else { return }
    let directory = found.path.removingLastComponent()
    if directory != path { (path, count, next, listed) = (directory, 0, Self.few, nil) }
    count += 1
    if let known = listed {
      let isOld = known.time.duration(to: .now) > lifetime
      if isOld || !isCurrent(known, directory) { listed = nil }
    }
    if listed == nil, count >= next {
      // What is listed in vain, or changes soon, costs no more than looking for names did so far.
      next = 2 * count
      listed = list(directory, walk)
    }
    // On some file systems a file has several names; only the one in the directory is that of its companions.
    if let listed, listed.names.contains(name) { listed.surroundings.describe(&found, name) }
  }

  private func list(_ directory: FilePath, _ walk: Walk) -> Listing? {
    guard let identity = Self.place(directory).status,
      max(identity.modificationTime.seconds, identity.changeTime.seconds) + settling
        < Syscalls.secondsSince1970,
      let entries = try? Syscalls.list(
        Self.place(directory),
        atMost: Self.entriesPerFile * count
      )
    else { return nil }
    return Listing(
      surroundings: Surroundings(entries, walk),
      names: Set(entries.map(\.name)),
      identity: identity
    )
  }

  private func isCurrent(_ listing: Listing, _ directory: FilePath) -> Bool {
    Self.place(directory).status?.isSameListing(as: listing.identity) == true
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
