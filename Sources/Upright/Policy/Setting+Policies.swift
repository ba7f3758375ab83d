extension Setting {
  /// The policies that are a choice.
  static let choices: [Setting] = [
    Setting(
      "unaligned",
      "What to do if an edge of the image is not aligned to whole blocks and the transform requires it.",
      .policies,
      [.rewrites, .service],
      .choice(at: { $1(&$0.options.unaligned) }) {
        switch $0 {
        case .redraw: "the affected components are re-encoded, and nothing is cut off"
        case .trim: "the partial blocks are cut off"
        case .skip: "the file is skipped"
        case .fail: "the file fails with an error"
        }
      }
    ),
    Setting(
      "on-conflict",
      "What to do if the Orientation tag seems stale. The image seems to be upright already then.",
      .policies,
      [.normalize, .service],
      .choice(at: { $1(&$0.options.onConflict) }) {
        switch $0 {
        case .skip: "the file is skipped"
        case .trustTag: "the image is rotated or flipped anyway"
        case .resetTag: "only Orientation is set to 1"
        }
      }
    ).asking("The Orientation tag may be stale. Which of the two images is upright?").everyday,
    Setting(
      "content-credentials",
      "What to do with a file that has C2PA content credentials, which any change makes invalid.",
      .policies,
      [.rewrites, .tag, .service],
      .choice(at: { $1(&$0.options.contentCredentials) }) {
        switch $0 {
        case .skip: "the file is skipped"
        case .keep: "it is rewritten, and the credentials are kept"
        case .strip: "it is rewritten, and the credentials are removed"
        }
      }
    ).asking("The photo has content credentials. Any change makes them invalid. Rotate it anyway?"),
    Setting(
      "registered-data",
      "What to do with a file whose thermal data, depth map or other data would no longer fit the image.",
      .policies,
      [.rewrites, .verify, .service],
      .choice(at: { $1(&$0.options.registeredData) }) {
        switch $0 {
        case .skip: "the file is skipped"
        case .keep: "the image is transformed, and the data is kept"
        }
      }
    ).asking("The photo has data that would no longer fit the rotated image. Rotate it anyway?"),
    Setting(
      "redraw-quality",
      "Quality of re-encoded parts.",
      .policies,
      [.rewrites, .service],
      .choice(at: { $1(&$0.options.redrawQuality) }) {
        switch $0 {
        case .standard: "the noise of a quarter of the original's quantization steps"
        case .compact: "that of half of the steps, in about three quarters of the size"
        case .max: "steps of 1, in about one and a half times the size"
        }
      }
    ),
    Setting(
      "resolution",
      "What to do if the axes are swapped and the X and Y resolutions differ.",
      .policies,
      [.rewrites, .service],
      .choice(at: { $1(&$0.options.resolution) }) {
        switch $0 {
        case .keep: "they are kept"
        case .follow: "they are swapped, too"
        }
      }
    ),
    Setting(
      "regions",
      "What to do with face and subject regions.",
      .policies,
      [.rewrites, .service],
      .choice(at: { $1(&$0.options.regions) }) {
        switch $0 {
        case .auto:
          "those in XMP are transformed if the file shows that they describe the stored image"
        case .keep: "all are kept"
        case .follow: "all are transformed, SubjectArea included"
        }
      }
    ),
  ]

  /// The policies that are a flag.
  static let flags: [Setting] = [
    Setting(
      "lossless-only",
      "Skip files that cannot be rotated losslessly. That includes their thumbnails and gain maps.",
      .policies,
      .rewrites,
      .flag { call, change in
        var isSet = call.options.unaligned == .skip
        change(&isSet)
        if isSet { call.options.unaligned = .skip }
      }
    ).everyday,
    Setting(
      "strict-orientation",
      "Skip files with Orientation 0, which is treated as 1 by default.",
      .policies,
      .rewrites,
      .flag { $1(&$0.options.strictOrientation) }
    ),
    Setting(
      "reset-invalid",
      "Set an Orientation of 0 or above 8, which has no meaning, to 1.",
      .policies,
      .rewrites,
      .flag { $1(&$0.options.resetsInvalid) }
    ),
  ]
}
