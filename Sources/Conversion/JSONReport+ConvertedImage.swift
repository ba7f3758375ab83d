internal import ImageFormats
internal import ImageOrientation
package import Reports
internal import TurboTransform
internal import Upright

extension JSONReport {
  /// Creates the report of a converted file.
  package init(path: String, converted image: ConvertedImage, isDry: Bool = false) {
    self.init(path: path, status: isDry ? .convertible : .converted)
    format = .jpeg
    width = image.size.width
    height = image.size.height
    sampling = image.sampling.rawValue
    quality = image.quality
    size = image.bytes.count
    if image.transform != .none { transform = image.transform }
    losses = image.losses.map { Reason(.init(rawValue: $0.kind.rawValue), $0.text) }
    notes = image.notes
    changes = image.changes
  }
}
