internal import ImageOrientation
internal import XMPPacket

/// Compares the regions in two XMP packets with the same properties.
///
/// The regions of one list are one subject: a unit that stays, or a number that a transform keeps, does not mean that a
/// region was kept.
struct RegionComparison {
  /// What changed in a list of regions.
  private struct List {
    var root: XMPProperty.PathStep
    var hasNumbers = false
    var isChanged = false
    var isMoved = false
  }

  private var lists: [List] = []

  init(_ pairs: [(XMPProperty, XMPProperty)]) {
    var indices: [XMPProperty.PathStep: Int] = [:]
    for (a, b) in pairs where Self.concerns(a) {
      var root = a.path.first ?? XMPProperty.PathStep(namespace: a.namespace, name: a.name)
      root.index = nil
      let index = indices[root] ?? lists.endIndex
      if index == lists.endIndex {
        lists.append(List(root: root))
        indices[root] = index
      }
      let isNumber = Self.numbers.contains(a.name)
      lists[index].hasNumbers = lists[index].hasNumbers || isNumber
      guard a.value != b.value else { continue }
      lists[index].isChanged = true
      lists[index].isMoved = lists[index].isMoved || isNumber
    }
  }

  /// Who defined the lists, by their namespaces.
  private static let origins = [
    "http://www.metadataworkinggroup.com/schemas/regions/": "MWG",
    "http://ns.microsoft.com/photo/1.2/": "Microsoft", "http://ns.acdsee.com/regions/": "ACDSee",
    XMPNamespace.iptcExtension: "IPTC",
  ]

  /// The names of the numbers of an area: MWG and ACDSee, IPTC, Microsoft.
  private static let numbers: Set<String> = [
    "x", "y", "w", "h", "d", "rbX", "rbY", "rbW", "rbH", "rbRx", "Rectangle",
  ]

  /// Returns whether a property is of a region.
  static func concerns(_ property: XMPProperty) -> Bool {
    switch property.namespace {
    case XMPNamespace.area, XMPNamespace.acdseeArea, XMPNamespace.microsoftRegion: true
    case XMPNamespace.iptcExtension: property.name.hasPrefix("rb")
    case XMPNamespace.dimensions, XMPNamespace.acdseeDimensions:
      property.path.last?.name == "AppliedToDimensions"
    default: false
    }
  }

  /// Returns notes on lists of regions that changed, and on those that were kept although the image was transformed.
  func observations(_ transform: OrientationTransform) -> [Observation] {
    lists.compactMap { list in
      let name = "regions in XMP (\(Self.origins[list.root.namespace] ?? list.root.name))"
      if list.isMoved || list.isChanged && !list.hasNumbers {
        return .note("region-changed", "\(name) changed; their new values are not checked")
      }
      guard transform != .none, list.hasNumbers else { return nil }
      return .note("region-kept", "\(name) are unchanged and describe the image as it was stored")
    }
  }
}
