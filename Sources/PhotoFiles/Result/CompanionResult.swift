internal import FileSystem
package import Records
public import Reports
package import SystemPackage
public import Upright

/// A file beside a photo, and what becomes of it, or would.
public struct CompanionResult: Sendable {
  /// The file.
  package var path: FilePath
  /// What it is to the photo.
  public var kind: Companion.Kind
  /// What it is, as a noun, such as "edit of darktable".
  public var name: String
  /// What becomes of it.
  public var action: Companion.Action
  /// Whether that was done; otherwise it is planned, or has failed.
  public var isDone = false
  /// Why it stays as it is; nil if it does not.
  public var cause: Companion.Cause?
  /// To whom else it belongs, or may.
  package var owner: Claim?
  /// The Orientation in it, if it differs from that of the photo.
  public var orientation: Int?
  /// What it keeps although that may not fit the photo any more.
  public var notes: [Note] = []
  /// Where it was written, if not in place.
  package var output: FilePath?
  /// Why it could not be read or written.
  public var error: UprightError?
  /// What changes the decision.
  public var remedies: [Remedy] = []
  /// The hash of what was written beside the output.
  package var written: Digest?

  init(
    _ path: FilePath,
    _ kind: Companion.Kind,
    _ name: String,
    _ action: Companion.Action,
    _ cause: Companion.Cause? = nil
  ) {
    (self.path, self.kind, self.name, self.action) = (path, kind, name, action)
    self.cause = cause
  }

  init(_ sidecar: SidecarFile, _ action: Companion.Action, _ cause: Companion.Cause? = nil) {
    let kind: Companion.Kind = sidecar.isWorldFile ? .worldFile : .sidecar
    self.init(sidecar.path, kind, kind.noun, action, cause)
  }

  init(sidecar path: FilePath, _ action: Companion.Action, _ cause: Companion.Cause? = nil) {
    let kind: Companion.Kind = SidecarFile.Kind(of: path) == .xmp ? .sidecar : .worldFile
    self.init(path, kind, kind.noun, action, cause)
  }

  /// Whether the photo was processed, and the file does not have what belongs to it.
  package var isFailure: Bool {
    action != .leave && error != nil || cause == .changedSince || cause == .missing
  }

  /// Whether the file is changed, written, or should have been.
  package var isTouched: Bool { action != .leave || isFailure }
}

extension Companion.Kind {
  /// The kind as a noun, of files that are updated with photos.
  var noun: String { self == .worldFile ? "world file" : "sidecar" }
}
