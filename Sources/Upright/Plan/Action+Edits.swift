internal import FileBytes

extension Action {
  /// Returns whether edits change no byte twice, and none that belongs to a field of Exif that does not change.
  ///
  /// The removal of a tag moves the entries after it.
  func permits(_ edits: [Edit], _ header: Header, _ photo: JPEGPhoto) -> Bool {
    edits.areDisjoint
      && (self == .changeTag(nil)
        || !header.sharesBytes(edits, photo.thumbnails, photo.bytes.span))
  }
}
