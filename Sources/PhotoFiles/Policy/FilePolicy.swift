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
package struct FilePolicy: Sendable {
  /// What becomes of the sidecars.
  package var sidecars = SidecarPolicy.update
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
  package init() {}
}
