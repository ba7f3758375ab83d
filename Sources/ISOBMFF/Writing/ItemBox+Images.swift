internal import ImageOrientation

extension ItemBox {
  /// Returns the transforms of the primary image and of those that are displayed with it or in its place, after a
  /// transform of the displayed image; fails if readers differ in how such an image is displayed.
  func transforms(
    after transform: OrientationTransform
  ) throws(FormatError) -> [Int: OrientationTransform] {
    let span = bytes.span
    let primary = try directory.item(directory.primary)
    guard primary.type != "iden", primary.type != "tmap" else {
      throw .unsupported("the primary image is derived from another one, as \(primary.type)")
    }
    let own = try ImageTransforms.orientation(of: primary, span)
    var images = Set([primary.identifier] + (try alternatives(to: primary.identifier)))
    for item in directory.items.values where item.targets("dimg").contains(primary.identifier) {
      // Readers apply the transforms of the base image, those of the derived image, or both.
      let derived = try ImageTransforms.orientation(of: item, span)
      guard item.type == "tmap", own != nil, derived == own else {
        throw .unsupported(
          "item \(item.identifier), of type \(item.type), is derived from the primary image"
        )
      }
      images.formUnion([item.identifier] + item.targets("dimg"))
    }
    var count = 0
    while count < images.count {
      count = images.count
      for item in directory.items.values
      where !images.isDisjoint(with: item.targets("thmb") + item.targets("auxl")) {
        images.insert(item.identifier)
      }
    }
    var transforms: [Int: OrientationTransform] = [:]
    for identifier in images {
      let item = try directory.item(identifier)
      let stated = try ImageTransforms.orientation(of: item, span)
      // An auxiliary image without transforms follows its image.
      if stated == nil, own != nil, !item.targets("auxl").isEmpty { continue }
      transforms[identifier] = (stated ?? .none).then(transform)
    }
    return transforms
  }

  /// Returns the images that may be displayed in place of an image (ISO/IEC 23008-12, 9.4.2).
  private func alternatives(to image: Int) throws(FormatError) -> [Int] {
    let span = bytes.span
    guard let groups = try boxes.only("grpl") else { return [] }
    var found: [Int] = []
    for group in try Box.boxes(span, in: groups.content) where group.type == "altr" {
      var (_, _, fields) = try group.fullBox(span)
      try fields.skip(4)
      var members: [Int] = []
      for _ in 0..<(try fields.integer(4, span)) { members.append(try fields.integer(4, span)) }
      if members.contains(image) { found += members.filter { directory.items[$0] != nil } }
    }
    return found
  }
}
