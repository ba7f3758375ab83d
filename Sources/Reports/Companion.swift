package import Upright

/// What a file beside a photo is, and what becomes of it, as reports say it.
public struct Companion: Sendable {
  /// What a file beside a photo is to it.
  public enum Kind: String, CaseIterable, Sendable {
    /// An XMP file that describes the photo.
    case sidecar
    /// A world file, which places the stored image on a map.
    case worldFile = "world-file"
    /// An edit of another program, which it applies to the stored image.
    case edit
    /// Another file that places the stored image on a map.
    case placement
    /// Another file that describes the stored image, such as labels.
    case description
    /// Another file of the same shot, such as a raw file.
    case counterpart
  }

  /// What becomes of a file beside a photo.
  public enum Action: String, CaseIterable, Sendable {
    /// It is changed with the photo, so that it describes the result.
    case update
    /// Its Orientation becomes that of the photo, which is not changed.
    case reset
    /// It is copied to the output as it is.
    case copy
    /// It gets what an interrupted run would have written.
    case complete
    /// Its original is restored with that of the photo.
    case restore
    /// It stays as it is.
    case leave
  }

  /// Why a file beside a photo stays as it is.
  public enum Cause: String, CaseIterable, Sendable {
    /// It needs no change.
    case fits
    /// The photo is not changed, so the file is not either.
    case photoUnchanged = "photo-unchanged"
    /// It describes the image as it was stored, and its update was not requested.
    case outdated
    /// It may describe the image as it was stored, and only its own program can change it.
    case mayBeOutdated = "may-be-outdated"
    /// Parts of it that may no longer fit the image cannot be changed.
    case kept
    /// It belongs to another file, or may.
    case ofAnother = "of-another"
    /// It cannot be read, or has values that cannot be changed.
    case unreadable
    /// Files of its kind are not changed with photos of this format.
    case format
    /// It shows the same as the photo did before.
    case sameShot = "same-shot"
    /// Programs that read it obey its Orientation, and not that of the camera raw file.
    case obeyed
    /// It was changed after it was updated with the photo, so it is not restored.
    case changedSince = "changed-since"
    /// It was updated with the photo and does not exist any more, so it is not restored.
    case missing
    /// It describes the image as it was before the undo.
    case ofResult = "of-result"
    /// It may describe the image as it was before the undo.
    case mayBeOfResult = "may-be-of-result"
  }

  /// The path.
  package var path: String
  /// The bytes of the path in hexadecimal, if they are not UTF-8.
  package var pathBytes: String?
  /// What it is to the photo.
  package var kind: Kind
  /// What it is, as a noun for people.
  package var name: String
  /// What becomes of it.
  package var action: Action
  /// Whether that was done.
  package var isDone: Bool
  /// Why it stays as it is.
  package var cause: Cause?
  /// The Orientation in it, if it differs from that of the photo.
  package var orientation: Int?
  /// The path of what was written, if not in place.
  package var output: String?
  /// Why it could not be read or written.
  package var error: UprightError?
  /// What it keeps although that may not fit the photo any more.
  package var notes: [Note]
  /// What changes the decision.
  package var remedies: [Remedy]

  /// Creates the object of a companion.
  package init(
    path: String,
    pathBytes: String?,
    _ kind: Kind,
    _ name: String,
    _ action: Action,
    isDone: Bool,
    cause: Cause?,
    orientation: Int?,
    output: String?,
    error: UprightError?,
    notes: [Note],
    remedies: [Remedy]
  ) {
    (self.path, self.pathBytes, self.kind, self.name) = (path, pathBytes, kind, name)
    (self.action, self.isDone, self.cause) = (action, isDone, cause)
    (self.orientation, self.output, self.error) = (orientation, output, error)
    (self.notes, self.remedies) = (notes, remedies)
  }
}
