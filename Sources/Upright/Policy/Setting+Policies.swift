extension Setting {
  /// The policies that are a choice.
  static let choices: [Setting] = [
    .choice(
      "unaligned",
      "What to do if an edge of the image is not aligned to whole blocks and the transform requires it.",
      .policies,
      [.rewrites, .service],
      of: Options.UnalignedPolicy.self,
      values: {
        switch $0 {
        case .redraw: "the affected components are re-encoded, and nothing is cut off"
        case .trim: "the partial blocks are cut off"
        case .skip: "the file is skipped"
        case .fail: "the file fails with an error"
        }
      },
      get: { $0.options.unaligned },
      set: { $0.options.unaligned = $1 }
    ),
    .choice(
      "on-conflict",
      "What to do if the Orientation tag seems stale. The image seems to be upright already then.",
      .policies,
      [.normalize, .service],
      of: Options.ConflictPolicy.self,
      values: {
        switch $0 {
        case .skip: "the file is skipped"
        case .trustTag: "the image is rotated or flipped anyway"
        case .resetTag: "only Orientation is set to 1"
        }
      },
      get: { $0.options.onConflict },
      set: { $0.options.onConflict = $1 }
    ).asking("The Orientation tag may be stale. Which of the two images is upright?").everyday,
    .choice(
      "content-credentials",
      "What to do with a file that has C2PA content credentials, which any change makes invalid.",
      .policies,
      [.rewrites, .tag, .service],
      of: Options.CredentialPolicy.self,
      values: {
        switch $0 {
        case .skip: "the file is skipped"
        case .keep: "it is rewritten, and the credentials are kept"
        case .strip: "it is rewritten, and the credentials are removed"
        }
      },
      get: { $0.options.contentCredentials },
      set: { $0.options.contentCredentials = $1 }
    ).asking("The photo has content credentials. Any change makes them invalid. Rotate it anyway?"),
    .choice(
      "registered-data",
      "What to do with a file whose thermal data, depth map or other data would no longer fit the image.",
      .policies,
      [.rewrites, .verify, .service],
      of: Options.RegisteredDataPolicy.self,
      values: {
        switch $0 {
        case .skip: "the file is skipped"
        case .keep: "the image is transformed, and the data is kept"
        }
      },
      get: { $0.options.registeredData },
      set: { $0.options.registeredData = $1 }
    ).asking("The photo has data that would no longer fit the rotated image. Rotate it anyway?"),
    .choice(
      "redraw-quality",
      "Quality of re-encoded parts.",
      .policies,
      [.rewrites, .service],
      of: Options.RedrawQuality.self,
      values: {
        switch $0 {
        case .standard: "the noise of a quarter of the original's quantization steps"
        case .compact: "that of half of the steps, in about three quarters of the size"
        case .max: "steps of 1, in two to four times the size"
        }
      },
      get: { $0.options.redrawQuality },
      set: { $0.options.redrawQuality = $1 }
    ),
    .choice(
      "resolution",
      "What to do if the axes are swapped and the X and Y resolutions differ.",
      .policies,
      [.rewrites, .service],
      of: Options.ResolutionPolicy.self,
      values: {
        switch $0 {
        case .keep: "they are kept"
        case .follow: "they are swapped, too"
        }
      },
      get: { $0.options.resolution },
      set: { $0.options.resolution = $1 }
    ),
    .choice(
      "regions",
      "What to do with face and subject regions.",
      .policies,
      [.rewrites, .service],
      of: Options.RegionPolicy.self,
      values: {
        switch $0 {
        case .auto:
          "those in XMP are transformed if the file shows that they describe the stored image"
        case .keep: "all are kept"
        case .follow: "all are transformed, SubjectArea included"
        }
      },
      get: { $0.options.regions },
      set: { $0.options.regions = $1 }
    ),
  ]

  /// The policies that are a flag.
  static let flags: [Setting] = [
    Setting(
      "lossless-only",
      "Skip files that cannot be rotated losslessly. That includes their thumbnails and gain maps.",
      .policies,
      .rewrites,
      .flag(
        get: { $0.options.unaligned == .skip },
        set: { if $1 { $0.options.unaligned = .skip } }
      )
    ).everyday,
    Setting(
      "strict-orientation",
      "Skip files with Orientation 0, which is treated as 1 by default.",
      .policies,
      .rewrites,
      .flag(
        get: { $0.options.strictOrientation },
        set: { $0.options.strictOrientation = $1 }
      )
    ),
    Setting(
      "reset-invalid",
      "Set an Orientation of 0 or above 8, which has no meaning, to 1.",
      .policies,
      .rewrites,
      .flag(
        get: { $0.options.resetsInvalid },
        set: { $0.options.resetsInvalid = $1 }
      )
    ),
  ]
}
