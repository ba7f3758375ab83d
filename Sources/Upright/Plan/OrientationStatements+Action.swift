internal import FileBytes
internal import ImageFormats
internal import ImageOrientation

extension OrientationStatements {
  /// Why what the metadata states is not known although others may read it; nil if it is.
  var unread: Reason? {
    if let xmpExcess { return .unreadable("XMP", xmpExcess) }
    return exif.contains { $0.block?.isCut == true } ? .sharedBytes : nil
  }

  /// What a file needs, if what it states decides alone.
  var action: Action {
    if let unread { return .skip(unread) }
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

  /// The Orientation that metadata gives after a transform: readers of the format follow its own statement, but some follow
  /// metadata that states the same.
  func tag(after transform: OrientationTransform) -> Orientation {
    agreesWithFormat ? Orientation(uprightBy: transform) : .up
  }

  /// Returns the values of some pages, and those of no page.
  func values(of pages: [Int]) -> [Statement] {
    values.filter { $0.page.map { pages.contains($0) } ?? true }
  }

  /// Returns whether a result states what it must after an action that was planned for this file.
  func isDone(_ action: Action, _ request: Request, in result: OrientationStatements) -> Bool {
    var (pages, shown, tag): ([Int], Orientation, Orientation) = ([], shown, .up)
    if case .tag(_, let requested) = request.kind {
      pages = (try? requested.indices(in: image)) ?? []
    }
    switch action {
    case .transform(let transform, _):
      (shown, tag) = (Orientation(uprightBy: transform), self.tag(after: transform))
    case .changeTag(let orientation):
      tag = orientation ?? .up
      if image.pages.isEmpty || pages.contains(image.primaryPage) { shown = tag }
    case .resetTag, .unchanged, .skip: break
    }
    return result.shown == shown && result.values(of: pages).allSatisfy { $0.value == tag.rawValue }
  }

  private static func effect(_ orientation: Orientation) -> String {
    orientation == .up ? "show it as stored" : "\(orientation.transform) to show it"
  }
}

extension TagPages {
  /// Returns the indices of the pages of a TIFF file; none of another format.
  func indices(in image: FormatHeader) throws(Reason) -> [Int] {
    switch self {
    case .first: return image.primaryPages
    case .all: return Array(image.pages.indices)
    case .number(let number):
      let count = max(1, image.pages.count)
      guard (1...count).contains(number) else { throw .noPage(number, of: count) }
      return image.pages.isEmpty ? [] : [number - 1]
    }
  }
}

extension Remedy {
  fileprivate static let resetOrientation = Remedy.onConflict(.resetTag, "set Orientation to 1")
}

extension Reason {
  /// The reason of a structure that stops every change.
  static func imageStructure(_ structure: String) -> Reason { Reason(.imageStructure, structure) }

  /// The reason of an image that no decoder can show.
  static func imageStructure(damaged damage: String) -> Reason {
    .imageStructure("no program can decode the image: \(damage)")
  }
}
