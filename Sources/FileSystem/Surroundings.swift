package import SystemPackage

/// The names in a directory, as they were listed at one time.
///
/// They save the time of looking for each possible companion of a photo, several dozen of them. They do not decide: a
/// companion may have been made since.
package final class Surroundings: Sendable {
  /// The names of the directories that lead to the files, as their paths give them.
  package let folders: [String]
  /// The entries, sorted by the bytes of their names.
  let entries: [DirectoryEntry]
  private let endings: NameEndings

  /// The number of entries up to which a directory is listed for each photo: looking for each possible companion takes
  /// hundreds of calls, each of which goes to the server on a share.
  private static let limit = 5_000

  init(_ entries: [DirectoryEntry], of directory: FilePath) {
    self.entries = entries.sorted { $0.name.precedes($1.name) }
    endings = NameEndings(entries)
    folders = directory.components.map(\.string)
  }

  /// Lists a directory now; nil if it cannot be listed or has too many entries.
  package convenience init?(in directory: FilePath) {
    self.init(in: directory) { _ in true }
  }

  private convenience init?(in directory: FilePath, where isTaken: (DirectoryEntry) -> Bool) {
    guard
      let entries = try? Syscalls.list(
        directory.isEmpty ? "." : directory,
        atMost: Self.limit,
        where: isTaken
      )
    else { return nil }
    self.init(entries, of: directory)
  }

  /// Lists what may concern a file in its directory now: files whose names begin like its own in any case or are
  /// among `others`, which are in small letters, and what are no regular files.
  ///
  /// On some file systems a file has several names; only the one in the directory is that of its companions.
  package convenience init?(around file: FilePath, besides others: [String]) {
    let name = file.name
    guard !name.isEmpty else { return nil }
    let (beginning, others) = (Self.beginning(of: name), others.map { Array($0.utf8) })
    self.init(in: file.removingLastComponent()) { entry in
      guard entry.kind == .regular else { return true }
      let small = entry.name.lazy.map(NameRule.small)
      return small.starts(with: beginning) || others.contains { small.elementsEqual($0) }
    }
    guard contains(name) else { return nil }
  }

  /// Returns what the names of the companions of a file begin with, in small letters, under each spelling by which a file
  /// system finds them: letters outside ASCII, and the one before that may be composed with them, have several.
  private static func beginning(of name: [UInt8]) -> [UInt8] {
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil }
    let stem = NameRule.shot(of: name) ?? Array(name[..<(dot ?? name.endIndex)])
    let plain = stem.prefix { $0 < 0x80 }
    return (plain.count < stem.count ? plain.dropLast() : plain).map(NameRule.small)
  }

  /// Whether a name has the last extension of this ending, in any case; also yes if the extension is long.
  package func mayHave(_ ending: String) -> Bool { mayHave(anyOf: NameEndings([ending])) }

  /// Whether a name has the last extension of one of these endings, in any case; also yes if one of these is long.
  package func mayHave(anyOf endings: NameEndings) -> Bool { self.endings.mayHave(anyOf: endings) }

  /// Whether this is one of the names.
  package func contains(_ name: [UInt8]) -> Bool {
    let index = firstIndex(notBefore: name)
    return index < entries.count && entries[index].name == name
  }

  /// Returns the names that begin with these bytes, sorted.
  package func names(beginningWith beginning: [UInt8]) -> [[UInt8]] {
    entries(beginningWith: beginning).map(\.name)
  }

  /// Returns the names of the images and videos that belong to one shot with that of this name, sorted: they differ in
  /// their endings only, or a camera says so in them.
  package func paired(with name: [UInt8]) -> [[UInt8]] {
    guard hasEntry(like: name), let shot = NameRule.shot(of: name) else { return [] }
    return entries(beginningWith: shot + [UInt8(ascii: ".")])
      .filter { $0.kind != .directory && $0.name != name && NameRule.shot(of: $0.name) == shot }
      .map(\.name)
  }

  /// Whether another name has the same beginning, up to the first dot; if not, none is of the same shot.
  private func hasEntry(like name: [UInt8]) -> Bool {
    let place = firstIndex(notBefore: name)
    let beginning = name.firstIndex(of: UInt8(ascii: ".")).map { name[...$0] } ?? name[...]
    return entries[max(place - 1, 0)..<min(place + 2, entries.count)].contains {
      $0.name.starts(with: beginning) && $0.name != name
    }
  }

  private func entries(beginningWith beginning: [UInt8]) -> ArraySlice<DirectoryEntry> {
    entries[firstIndex(notBefore: beginning)...].prefix { $0.name.starts(with: beginning) }
  }

  private func firstIndex(notBefore name: [UInt8]) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].name.precedes(name) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Surroundings: Hashable {
  package static func == (first: Surroundings, second: Surroundings) -> Bool { first === second }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The directory of files that are named one after the other.
///
/// Without a listing, what is beside a file is found by looking for each possible name. So the directory is listed if it
/// does not have too many entries for that, and again if it changes.
package struct NamedDirectory: Sendable {
  private var path: FilePath?
  private var count = 0
  /// The number of files at which the directory is listed.
  private var next = 0
  private var listed: Listing?
  /// Whether a file of the directory is found under other spellings of its name; nil if no name had letters.
  private var isCaseless: Bool?
  /// The directory as others list it, and the names in it, once it was found that case does not matter.
  private var spelled: (directory: FilePath, names: Set<[UInt8]>)?
  /// How many seconds ago a directory must have been changed, so that its times show the next change.
  private let settling: Int64
  /// For how long a listing is used; not all file systems give directories new times.
  private let lifetime: Duration

  private struct Listing: Sendable {
    var surroundings: Surroundings
    /// The directory's status before it was listed.
    var identity: FileIdentity
    var time = ContinuousClock.now
  }

  /// The number of files after which the directory is listed for the first time.
  private static let few = 3
  /// As many entries are read in the time in which the names beside one file are looked for.
  private static let entriesPerFile = 64

  package init(
    settling: Int64 = FileIdentity.settling,
    lifetime: Duration = .seconds(10)
  ) {
    (self.settling, self.lifetime) = (settling, lifetime)
  }

  /// Adds what is known about a file that was named, and gives it the name that its directory lists.
  package mutating func describe(_ found: inout Walk.Found) {
    guard !found.name.isEmpty else { return }
    let directory = found.path.removingLastComponent()
    if directory != path {
      (path, count, next, listed) = (directory, 0, Self.few, nil)
      (isCaseless, spelled) = (nil, nil)
    }
    spell(&found, in: directory)
    count += 1
    if let known = listed {
      let isOld = known.time.duration(to: .now) > lifetime
      if isOld || !isCurrent(known, directory) { listed = nil }
    }
    if listed == nil, count >= next {
      // What is listed in vain, or changes soon, costs no more than looking for names did so far.
      next = 2 * count
      listed = list(directory)
    }
    // On some file systems a file has several names; only the one in the directory is that of its companions.
    if let listed, listed.surroundings.contains(found.name) {
      found.surroundings = listed.surroundings
    }
  }

  /// Gives a file the names that directories list.
  private mutating func spell(_ found: inout Walk.Found, in directory: FilePath) {
    isCaseless = isCaseless ?? found.path.hasOtherSpelling
    guard isCaseless == true, let name = found.path.lastComponent else { return }
    let entries =
      spelled
      ?? {
        let listed = directory.asListedThroughout
        let names = (try? Syscalls.list(Self.place(listed)).map(\.name)) ?? []
        return (listed, Set(names))
      }()
    spelled = entries
    let path = entries.directory.appending(name)
    let wasNamed = found.isNamed
    found.path = entries.names.contains(found.name) ? path : path.asListed
    if wasNamed { found.root = found.path }
  }

  private func list(_ directory: FilePath) -> Listing? {
    guard let identity = Self.place(directory).status, identity.isSettled(after: settling),
      let entries = try? Syscalls.list(
        Self.place(directory),
        atMost: Self.entriesPerFile * count
      )
    else { return nil }
    return Listing(
      surroundings: Surroundings(entries, of: spelled?.directory ?? directory),
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
