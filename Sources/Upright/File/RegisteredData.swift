/// Data in a file that refers to the pixels of the stored image and is not transformed with them.
///
/// `Reference.table` lists the kinds; `docs/what-changes.md` describes them.
public struct RegisteredData: Hashable, Sendable {
  /// What a transform of the image means for the data.
  public enum Effect: String, CaseIterable, Sendable {
    /// It no longer fits the transformed image.
    case misregistered
    /// It is a rendition of the image, which shows the image as it was stored.
    case stale
    /// It has an orientation of its own, or fits the transformed image.
    case independent
  }

  /// The stable identifier of the kind, such as `flir`.
  public var kind: String
  /// The kind as text for people, such as `FLIR thermal data`.
  public var name: String
  /// What a transform of the image means for it.
  public var effect: Effect
  /// The offset in the file at which it was recognized.
  public var offset: Int

  /// Creates a description of registered data.
  package init(kind: String, name: String, effect: Effect, offset: Int) {
    self.kind = kind
    self.name = name
    self.effect = effect
    self.offset = offset
  }
}
