internal import ImageOrientation

extension Setting {
  /// All settings.
  ///
  /// This file and Setting+Policies.swift are the one place that names them and their values.
  package static let all: [Setting] = choices + flags + limits + checks + ofCall

  private static let limits: [Setting] = [
    Setting(
      "max-pixels",
      "Skip images with more pixels than this.",
      .limits,
      .functions,
      .number(
        unit: "pixels",
        get: { $0.options.maxPixels },
        set: { $0.options.maxPixels = Int(clamping: $1) }
      )
    ),
    Setting(
      "max-scans",
      "Skip images with more scans than this.",
      .limits,
      .rewrites,
      .number(
        unit: "scans",
        get: { $0.options.maxScans },
        set: { $0.options.maxScans = Int(clamping: $1) }
      )
    ),
    Setting(
      "max-bytes",
      "Refuse files with more bytes than this, because files are read into memory.",
      .limits,
      .functions,
      .number(
        unit: "bytes",
        get: { $0.options.maxBytes },
        set: { $0.options.maxBytes = Int(clamping: $1) }
      )
    ),
    Setting(
      "memory",
      "Skip files for which the estimate of memory is higher than this.",
      .limits,
      .rewrites,
      .number(
        unit: "MiB",
        get: { $0.options.maxMemory.map { $0 >> 20 } },
        set: { $0.options.maxMemory = Int(clamping: min($1, 1 << 40) << 20) }
      )
    ),
    Setting(
      "time-limit",
      "Stop the work on a file after this time.",
      .limits,
      .functions,
      .number(
        unit: "milliseconds",
        get: {
          $0.options.timeLimit.map { Int(clamping: min($0.components.seconds, 1 << 40)) * 1000 }
        },
        set: { $0.options.timeLimit = .milliseconds(min($1, 1 << 40)) }
      )
    ),
  ]

  private static let checks: [Setting] = [
    Setting(
      "verify",
      "How a result is checked before it is returned.",
      .checks,
      .rewrites,
      .choice(at: { $1(&$0.options.verification) }) {
        switch $0 {
        case .restore: "the original is restored from it and compared, byte for byte"
        case .reference: "it is compared with TurboJPEG's lossless transform of the original"
        case .none: "it is not checked"
        }
      }
    ),
    Setting(
      "check-unchanged",
      "Also decode the files that are already upright, and report damaged ones.",
      .checks,
      [.rewrites, .service],
      .flag { $1(&$0.options.checksUnchanged) }
    ),
    Setting(
      "require-undo",
      "Skip files whose original could not be restored byte for byte.",
      .checks,
      .rewrites,
      .flag { $1(&$0.options.requiresUndo) }
    ),
  ]

  private static let ofCall: [Setting] = [
    Setting(
      "tag-only",
      "Change only the Orientation tag; leave the image as stored.",
      .call,
      .transform,
      .flag { $1(&$0.tagOnly) }
    ).everyday,
    Setting(
      "dry-run",
      "Report what would be done; write nothing.",
      .call,
      [.transform, .crop],
      .flag { $1(&$0.dryRun) }
    ),
    Setting(
      "snap",
      "What to do with a rectangle that does not start at a block.",
      .call,
      .crop,
      .choice(at: { $1(&$0.snap) }) {
        switch $0 {
        case .grow: "it grows to whole blocks, so that the crop is lossless"
        case .shrink: "it shrinks to whole blocks, so that the crop is lossless"
        case .exact: "it is kept, and components whose blocks it cuts are re-encoded"
        }
      }
    ),
    Setting(
      "transform",
      "How the displayed image was transformed in addition.",
      .call,
      .verify,
      .choice(at: { $1(&$0.transform) }) { _ in "" }
    ),
    Setting(
      "lossless",
      "Fail if any image was re-encoded or trimmed.",
      .call,
      .verify,
      .flag { $1(&$0.lossless) }
    ).everyday,
    Setting(
      "path",
      "The name of the file in the report.",
      .call,
      .functions,
      .text { $1(&$0.path) }
    ),
    Setting(
      "result-path",
      "The name of the result in the report.",
      .call,
      .verify,
      .text { $1(&$0.resultPath) }
    ),
  ]
}
