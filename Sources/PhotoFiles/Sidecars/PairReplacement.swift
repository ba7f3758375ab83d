internal import FileSystem
internal import Records
internal import SystemPackage

/// Replaces a photo and its sidecars: all, or none as far as that can be determined in advance.
struct PairReplacement {
  /// A file to replace.
  struct Member {
    var path: FilePath
    /// The version that was read.
    var identity: FileIdentity
    /// What was read.
    var former: [UInt8]
    /// The new content.
    var bytes: [UInt8]
    /// What the time of the file depends on.
    var change = ContentChange()
  }

  /// A sidecar to replace after its photo.
  struct SidecarMember {
    var path: FilePath
    /// The photo, or the link to it, that the sidecar is named after.
    var photo: FilePath
    var rights: AccessRights
    /// The content that was read.
    var former: [UInt8]
    /// The new content.
    var bytes: [UInt8]
    var change = ContentChange()

    var member: Member {
      Member(path: path, identity: rights.identity, former: former, bytes: bytes, change: change)
    }
  }

  /// The result after the photo was replaced.
  struct Outcome {
    /// The attributes that the new files could not be given.
    var lost: [LostAttribute] = []
    /// Why it is unknown whether the photo is, or stays, in place.
    var failure: FileError?
    /// Why sidecars were not replaced, by their paths.
    var sidecarFailures: [FilePath: FileError] = [:]
  }

  var replacement: AtomicReplacement

  /// Replaces a photo and its sidecars.
  ///
  /// A ``PairFile`` says what remains for a sidecar until it is replaced, also after a failure.
  ///
  /// - Throws: ``FileError`` or ``SidecarError``, if nothing was replaced.
  func replace(_ photo: Member, _ sidecars: [SidecarMember]) throws -> Outcome {
    var pairs: [PairFile] = []
    do throws(FileError) {
      for sidecar in sidecars {
        let pair = PairFile(of: sidecar.path, sidecar.photo)
        let content = PairFile.Content(photo, sidecar, backup: replacement.backupSuffix)
        try pair.write(content, like: sidecar.rights)
        pairs.append(pair)
      }
      let outcome = try replaceAll(photo, sidecars.map(\.member))
      for pair in pairs where outcome.sidecarFailures[pair.sidecar] == nil { try? pair.remove() }
      return outcome
    } catch {
      // The photo may be in place.
      if error.problem != .outcomeUnknown { for pair in pairs { try? pair.remove() } }
      // Another run has the photo in work, and needs its own file.
      if error.problem == .exists { throw FileError.changed(photo.path) }
      if error.path == photo.path { throw error }
      throw SidecarError(error: error)
    }
  }

  /// The sidecars' new contents are on the disk before the photo is replaced, and are renamed right after that,
  /// even if the process is interrupted.
  private func replaceAll(_ photo: Member, _ sidecars: [Member]) throws(FileError) -> Outcome {
    var outcome = Outcome()
    var isReplaced = false
    func replaceNext(_ sidecars: ArraySlice<Member>) throws(FileError) {
      guard let sidecar = sidecars.first else {
        do throws(FileError) {
          outcome.lost = try replacement.replace(photo)
          isReplaced = true
        } catch {
          outcome.failure = error
          isReplaced = holdsFile(photo.path, photo.bytes)
        }
        return
      }
      do throws(FileError) {
        let lost = try replacement.replace(sidecar) {
          do throws(FileError) {
            try replaceNext(sidecars.dropFirst())
          } catch {
            outcome.failure = error
          }
          return isReplaced
        }
        for attribute in lost where !outcome.lost.contains(attribute) {
          outcome.lost.append(attribute)
        }
      } catch {
        guard isReplaced else { throw outcome.failure ?? error }
        // Another run may have made the same replacement.
        if !holdsFile(sidecar.path, sidecar.bytes) { outcome.sidecarFailures[sidecar.path] = error }
      }
    }
    try replaceNext(sidecars[...])
    return outcome
  }
}

extension AtomicReplacement {
  /// Replaces a file with its new content; `first` is called before this takes the name, and returns false to keep the file.
  func replace(
    _ member: PairReplacement.Member,
    after first: (() -> Bool)? = nil
  ) throws(FileError) -> [LostAttribute] {
    try replace(
      member.path,
      readAs: member.identity,
      member.former,
      with: member.bytes,
      member.change,
      after: first
    )
  }
}
