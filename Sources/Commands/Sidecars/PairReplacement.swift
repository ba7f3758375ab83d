internal import FileSystem
internal import SystemPackage

/// Replaces a photograph and its sidecar: both, or neither as far as that can be told before.
struct PairReplacement {
  /// A file that is replaced.
  struct Member {
    var path: FilePath
    /// The version of it that was read.
    var identity: FileIdentity
    /// The new content.
    var bytes: [UInt8]
  }

  /// What became of the pair once the photograph was replaced.
  struct Outcome {
    /// What the new photograph could not be given.
    var lost: [LostAttribute] = []
    /// Why the photograph is in place and this may not last, or is not known.
    var failure: FileError?
    /// Why the sidecar was not replaced.
    var sidecarFailure: FileError?
  }

  var replacement: AtomicReplacement

  /// Replaces both.
  ///
  /// The sidecar's new content is on the disk before the photograph is replaced, and takes its name
  /// right after that, even when the process was asked to end.
  ///
  /// - Returns: What became of them.
  /// - Throws: ``FileError``, where neither was replaced.
  func replace(_ photograph: Member, _ sidecar: Member) throws(FileError) -> Outcome {
    var outcome = Outcome()
    var isReplaced = false
    do throws(FileError) {
      _ = try replacement.replace(
        sidecar.path,
        readAs: sidecar.identity,
        with: sidecar.bytes
      ) {
        do throws(FileError) {
          outcome.lost = try replacement.replace(
            photograph.path,
            readAs: photograph.identity,
            with: photograph.bytes
          )
          isReplaced = true
        } catch {
          outcome.failure = error
          isReplaced = Self.holds(photograph)
        }
        return isReplaced
      }
    } catch {
      guard isReplaced else { throw outcome.failure ?? error }
      // Another run may have replaced it in the same way.
      if !Self.holds(sidecar) { outcome.sidecarFailure = error }
    }
    return outcome
  }

  /// Whether a file has its new content.
  private static func holds(_ member: Member) -> Bool {
    (try? readFile(member.path, limit: member.bytes.count).bytes) == member.bytes
  }
}
