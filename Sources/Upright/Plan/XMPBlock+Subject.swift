internal import XMPPacket

/// SubjectArea and SubjectLocation of Exif in XMP, each an array of whole numbers.
extension XMPBlock {
  var hasSubject: Bool { packet.properties.contains { Self.subjectName($0) != nil } }

  /// Returns the values that transform them with the image as those in Exif, or nil if one has another form or its new
  /// numbers do not fit into 16 bits.
  func subjectValues(_ geometry: RegionGeometry) -> [XMPValue]? {
    var arrays: [[XMPProperty.PathStep]: [XMPProperty]] = [:]
    for property in packet.properties where Self.subjectName(property) != nil {
      guard property.name == "li" else { return nil }
      arrays[property.path, default: []].append(property)
    }
    var values: [XMPValue] = []
    for items in arrays.values {
      let old = items.compactMap { UInt16($0.value) }.map { Int($0) }
      guard old.count == items.count, (2...4).contains(old.count) else { return nil }
      let new = geometry.subject(old)
      guard new.allSatisfy({ UInt16(exactly: $0) != nil }) else { return nil }
      for (item, (before, after)) in zip(items, zip(old, new)) where before != after {
        let field = "xmp.exif.\(Self.subjectName(item) ?? "")"
        values.append(XMPValue(item, "\(after)", field: field))
      }
    }
    return values
  }

  private static func subjectName(_ property: XMPProperty) -> String? {
    let names = ["SubjectArea", "SubjectLocation"]
    if property.namespace == XMPNamespace.exif, names.contains(property.name) {
      return property.name
    }
    guard let array = property.path.last, array.namespace == XMPNamespace.exif else { return nil }
    return names.contains(array.name) ? array.name : nil
  }
}
