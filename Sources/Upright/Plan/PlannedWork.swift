internal import JPEGCore

/// What the execution of a plan needs, so that it decides nothing again.
///
/// It is large and indirect, so that plans are copied as pointers.
indirect enum PlannedWork {
  case transform(PlannedTransform)
  case changeTag(TagChange)
  case statements(StatementChange)
}

/// The transform of a photo's primary image.
struct PlannedTransform {
  /// The changes of its metadata; with other lengths of secondary images they are made again.
  var metadata: MetadataRewriter
  /// The edits of the metadata, and notes on fields that are kept.
  var edits: [Edit]
  var metadataNotes: [Note]
  /// The notes of the plan before those on the metadata.
  var notes: [Note]

  func completed(_ container: Container) -> PlannedTransform {
    var transform = self
    transform.metadata.header.container = container
    transform.metadata.raster.container = container
    return transform
  }
}
