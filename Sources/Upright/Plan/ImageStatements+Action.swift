internal import ImageFormats
internal import ImageOrientation

extension ImageStatements {
  /// What a file needs, if what it states decides alone.
  var action: Action {
    let name = image.format.name
    if let other = contradiction {
      guard let orientation = other.orientation else {
        return .skip(.reservedOrientation(other.value))
      }
      if let page = other.page {
        let first = image.primaryPage == 0 ? "IFD0" : "page \(image.primaryPage + 1)"
        let has = values.contains { $0.page == image.primaryPage }
        return .skip(
          Reason(
            .orientationsDisagree,
            "page \(page + 1) gives Orientation \(orientation.rawValue), \(first) "
              + (has ? "\(shown.rawValue)" : "none")
              + ": readers show each page by its own, and Upright does not transform the pixels of"
              + " \(name) files"
          )
        )
      }
      let ruling: String
      var remedies: [Remedy] = []
      if let ownPlace, image.stated != nil {
        ruling = "\(ownPlace) \(shown.rawValue)"
        if image.format.isHEIF {
          remedies = [.onConflict(.trustTag, "change irot and imir"), .resetOrientation]
        }
      } else if ownPlace != nil, values[0].value == 1 {
        ruling = "Exif gives 1"
        if image.format.isHEIF { remedies = [.resetOrientation] }
      } else if ownPlace != nil {
        ruling = "there is neither irot nor imir"
        remedies = [.onConflict(.trustTag, "insert irot and imir"), .resetOrientation]
      } else {
        ruling =
          values[0].place == "XMP"
          ? "there is none in Exif" : "\(values[0].place) gives \(shown.rawValue)"
      }
      if let obstacle {
        return .skip(
          .imageStructure(
            "\(obstacle); \(other.place) gives Orientation \(orientation.rawValue), \(ruling)"
          )
        )
      }
      return .skip(
        Reason(
          .orientationsDisagree,
          "\(other.place) gives Orientation \(orientation.rawValue), \(ruling): most readers of \(name)"
            + " \(Self.effect(shown)), those that follow \(other.place) \(Self.effect(orientation))",
          remedies: remedies
        )
      )
    }
    if shown == .up { return .unchanged(states ? .upright : .noOrientation) }
    if ownPlace != nil || image.format == .dng || image.format.isRaw {
      return .unchanged(
        Reason(
          .appliedByReaders,
          (ownPlace ?? "Orientation is")
            + " \(shown.rawValue), which readers of \(name) apply"
        )
      )
    }
    return .skip(
      Reason(
        .otherFormat,
        "Orientation is \(shown.rawValue), and Upright does not transform the pixels of \(name) files"
      )
    )
  }

  private static func effect(_ orientation: Orientation) -> String {
    orientation == .up ? "show it as stored" : "\(orientation.transform) to show it"
  }
}

extension Remedy {
  fileprivate static let resetOrientation = Remedy.onConflict(.resetTag, "set Orientation to 1")
}

extension Reason {
  /// The reason of a structure that stops every change.
  static func imageStructure(_ structure: String) -> Reason { Reason(.imageStructure, structure) }
}
