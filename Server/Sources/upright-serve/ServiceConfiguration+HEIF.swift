internal import HEIFDecoder
internal import ImageOrientation
internal import Reports
internal import Upright
internal import UprightServer

extension ServiceConfiguration {
  /// Makes the service convert HEIF photos if libheif is there, each decoded in a process of its own.
  mutating func convertHEIF() {
    guard HEIFConverter.problem == nil else { return }
    convert = { file, name, options in
      var options = options
      // Decoders need up to 20 bytes per pixel.
      options.maxPixels = min(options.maxPixels, (options.maxMemory ?? .max) / 20)
      var converter = IsolatedHEIFConverter(HEIFConverter(options: options))
      if let limit = options.timeLimit { converter.timeLimit = limit }
      switch try converter.convert(file) {
      case .skipped(let reason): return .skipped(reason)
      case .converted(let result):
        return .converted(
          Conversion(
            report: result.report(path: name).json,
            transform: result.transform == .none ? nil : result.transform,
            changes: result.changes.count,
            photo: result.bytes
          )
        )
      }
    }
  }
}
