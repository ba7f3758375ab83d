internal import ImageOrientation
internal import Upright
internal import XMPPacket

/// The check of SubjectArea and SubjectLocation in XMP, which may be kept or transformed with the image, as those in Exif.
extension XMPComparison {
  /// Returns whether a property is one of them, or a number of its array.
  static func isSubject(_ property: XMPProperty) -> Bool {
    let names = ["SubjectArea", "SubjectLocation"]
    let array = property.path.last
    return property.namespace == XMPNamespace.exif && names.contains(property.name)
      || array?.namespace == XMPNamespace.exif && names.contains(array?.name ?? "")
  }

  /// Returns notes on those that were kept, and findings on those that are neither where they were nor where the image shows
  /// the same.
  func subjects(_ pairs: [(XMPProperty, XMPProperty)]) -> [Observation] {
    var arrays: [[XMPProperty.PathStep]: [(old: XMPProperty, new: XMPProperty)]] = [:]
    for (a, b) in pairs where Self.isSubject(a) {
      let step = XMPProperty.PathStep(namespace: a.namespace, name: a.name)
      arrays[a.name == "li" ? a.path : a.path + [step], default: []].append((a, b))
    }
    return arrays.values.flatMap { pairs -> [Observation] in
      let before = pairs.compactMap { Int32($0.old.value) }.map { Int($0) }
      let after = pairs.compactMap { Int32($0.new.value) }.map { Int($0) }
      let isWhole = before.count == pairs.count && (2...4).contains(before.count)
      if isWhole, after.count == before.count,
        zip(moved(before), after).allSatisfy({ abs($0 - $1) <= 1 })
      {
        return []
      }
      let changes = pairs.compactMap { change($0.old, $0.new) }
      guard changes.isEmpty, transform != .none, let first = pairs.first?.new else {
        return changes
      }
      let text = "\(first.label) in XMP is unchanged and describes the image as it was stored"
      return [.note(.regionKept, text, result: place(first, in: new).lowerBound)]
    }
  }

  private func moved(_ numbers: [Int]) -> [Int] {
    var numbers = numbers
    if transform.transposes {
      numbers.swapAt(0, 1)
      if numbers.count == 4 { numbers.swapAt(2, 3) }
    }
    if transform.mirrorsX { numbers[0] = sizes.new.width - numbers[0] }
    if transform.mirrorsY { numbers[1] = sizes.new.height - numbers[1] }
    return numbers
  }
}
