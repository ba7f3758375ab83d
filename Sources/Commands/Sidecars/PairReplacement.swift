internal import FileSystem
internal import SystemPackage

/// Replaces a photo and its sidecars: all, or none as far as that can be determined in advance.
struct PairReplacement {
  /// A file to replace.
  struct Member {
    var path: FilePath
    /// The version that was read.
    var identity: FileIdentity
    /// The new content.
    var bytes: [UInt8]
    /// What the time of the file depends on.
    var change = ContentChange()
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
  /// The sidecars' new contents are on the disk before the photo is replaced, and are renamed right after that,
  /// even if the process is interrupted.
  ///
  /// - Returns: The result.
  /// - Throws: ``FileError``, if nothing was replaced.
  func replace(_ photo: Member, _ sidecars: [Member]) throws(FileError) -> Outcome {
    var outcome = Outcome()
    var isReplaced = false
    func replaceAll(_ sidecars: ArraySlice<Member>) throws(FileError) {
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
            try replaceAll(sidecars.dropFirst())
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
    try replaceAll(sidecars[...])
    return outcome
  }
}

extension AtomicReplacement {
  /// Replaces a file with its new content.
  ///
  /// - Parameters:
  ///   - member: The file.
  ///   - first: Called before the new content takes the name; returns false to keep the file unchanged.
  /// - Returns: The attributes that the new file could not be given.
  /// - Throws: ``FileError``.
  func replace(
    _ member: PairReplacement.Member,
    after first: (() -> Bool)? = nil
  ) throws(FileError) -> [LostAttribute] {
    try replace(
      member.path,
      readAs: member.identity,
      with: member.bytes,
      member.change,
      after: first
    )
  }
}
