package import FileSystem
internal import SystemPackage

/// The policies for sidecars: XMP and world files.
public enum SidecarPolicy: String, CaseIterable, Sendable {
  /// Updated together with the image, which is skipped if that is impossible.
  case update
  /// Reported if they describe the image before the rewrite.
  case report
  /// Ignored.
  case ignore
}

/// What is requested of files, besides what is requested of the images in them.
public struct FilePolicy: Sendable {
  /// What becomes of the sidecars; a restoration leaves them if they are ignored.
  public var sidecars = SidecarPolicy.update
  /// Where results are written.
  package var destinations = Destinations.only(.inPlace)
  /// How files are replaced.
  package var replacement = AtomicReplacement()
  /// How output files are created that do not replace their input.
  package var creation = AtomicCreation()
  /// Which files are not replaced.
  package var protection = WriteProtection.Rule.permissions
  /// Whether all results hold their undo data.
  package var embedsUndo = false
  /// Whether undo data is, or would be, in a record.
  package var keepsRecord = false
  /// Whether a photo that is skipped is copied to its output.
  package var copiesSkipped = true
  /// Whether nothing is written, as in an audit.
  package var isDry = false

  /// Creates the standard policy: in place, together with sidecars.
  public init() {}

  /// Whether files are replaced that are read-only, or whose owner or group would change.
  ///
  /// Default: no, they are skipped.
  public var replacesProtected: Bool {
    get { protection == .none }
    set { protection = newValue ? .none : .permissions }
  }

  /// Whether a file with several hard links is replaced under the given name only.
  ///
  /// Default: no, it is skipped.
  public var breaksHardLinks: Bool {
    get { replacement.hardLinks == .break }
    set { replacement.hardLinks = newValue ? .break : .refuse }
  }

  /// The suffix of the names under which originals are kept; nil to keep none.
  ///
  /// Default: nil.
  public var backupSuffix: String? {
    get { replacement.backupSuffix.map { String(decoding: $0, as: UTF8.self) } }
    set { replacement.backupSuffix = newValue.map { Array($0.utf8) } }
  }

  /// Whether outputs that exist are replaced.
  ///
  /// Default: no, they are errors.
  public var overwritesOutputs: Bool {
    get { creation.overwrite }
    set { creation.overwrite = newValue }
  }
}
