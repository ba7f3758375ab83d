/// Reads documents as RDF, in all forms that XMP allows, and lists the leaf values.
struct PropertyReader {
  private(set) var properties: [XMPProperty] = []
  private(set) var items: [XMPItem] = []
  private let bytes: [UInt8]
  private var frames: [Frame] = []
  private var pathStepCount = 0

  /// Creates a reader of documents in the packet `bytes`.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Lists the leaf values of one document.
  mutating func read(_ events: [XMLEvent]) throws(XMPError) {
    frames.removeAll()
    for event in events {
      switch event {
      case .start(let name, let attributes, let tag):
        try start(name, attributes: attributes, tag: tag)
      case .end(let text, let offset):
        end(text: text, offset: offset)
      }
    }
  }

  private mutating func start(
    _ name: XMLName,
    attributes: [XMLAttribute],
    tag: Range<Int>
  ) throws(XMPError) {
    let path = try pathInsideTop(at: tag.lowerBound)
    var frame = Frame(role: role(of: name), contentStart: tag.upperBound)
    if frame.role == .property, !name.isRDF("value") {
      frame.subject = Subject(name: name, index: itemIndex(of: name), path: path)
      frame.start = tag.lowerBound
    } else {
      frame.subject = frames.last?.subject
      frame.path = path
    }
    frame.isClosedByItself = bytes[tag.upperBound - 2] == UInt8(ascii: "/")
    if let parent = frames.indices.last { frames[parent].isStructure = true }
    frames.append(frame)
    if frame.role == .node || frame.role == .property {
      try list(attributes, tag: tag)
    }
  }

  private mutating func end(text: String, offset: Int) {
    guard let frame = frames.popLast() else { return }
    if let start = frame.start, let subject = frame.subject, let index = subject.index {
      let end =
        frame.isClosedByItself
        ? frame.contentStart : (bytes[offset...].firstIndex(of: UInt8(ascii: ">")) ?? offset) + 1
      items.append(XMPItem(path: subject.path, index: index, range: start..<end))
    }
    guard frame.role == .property, let subject = frame.subject, !frame.isClosedByItself,
      !frame.isStructure
    else { return }
    append(subject, text: text, range: frame.contentStart..<offset, form: .element)
  }

  /// Lists the attributes of the current element.
  private mutating func list(_ attributes: [XMLAttribute], tag: Range<Int>) throws(XMPError) {
    guard !attributes.isEmpty, let top = frames.indices.last else { return }
    var scanner = AttributeScanner(bytes, tag: tag)
    for (attribute, range) in zip(attributes, scanner.valueRanges()) {
      let name = attribute.name
      switch name.namespace {
      case "", XMPNamespace.xml:
        continue
      case XMPNamespace.rdf where name.local == "parseType":
        if attribute.value == "Resource" { frames[top].isStructure = true }
      case XMPNamespace.rdf where name.local == "value" || name.local == "resource":
        guard let subject = frames[top].subject else { continue }
        append(subject, text: attribute.value, range: range, form: .attribute)
        frames[top].isStructure = true
      case XMPNamespace.rdf:
        continue
      default:
        let subject = Subject(
          name: name,
          index: nil,
          path: try pathInsideTop(at: tag.lowerBound)
        )
        append(subject, text: attribute.value, range: range, form: .attribute)
        frames[top].isStructure = true
      }
    }
  }

  private mutating func append(
    _ subject: Subject,
    text: String,
    range: Range<Int>,
    form: XMPProperty.Form
  ) {
    var range = range
    while let last = range.last, isXMLSpace(bytes[last]) { range.removeLast() }
    while let first = range.first, isXMLSpace(bytes[first]) { range.removeFirst() }
    var value = text.utf8[...]
    while let last = value.last, isXMLSpace(last) { value.removeLast() }
    while let first = value.first, isXMLSpace(first) { value.removeFirst() }
    properties.append(
      XMPProperty(
        namespace: subject.name.namespace,
        name: subject.name.local,
        index: subject.index,
        value: String(Substring(value)),
        valueRange: range,
        form: form,
        path: subject.path
      )
    )
  }

  private func role(of name: XMLName) -> Frame.Role {
    switch frames.last?.role ?? .outside {
    case .outside: name.isRDF("RDF") ? .rdf : .outside
    case .rdf: .node
    case .node, .property:
      ["Description", "Seq", "Bag", "Alt"].contains(where: name.isRDF)
        ? .node : .property
    }
  }

  private mutating func itemIndex(of name: XMLName) -> Int? {
    guard name.isRDF("li"), let parent = frames.indices.last else { return nil }
    defer { frames[parent].itemCount += 1 }
    return frames[parent].itemCount
  }

  /// Returns the path of the content of the innermost element, created on first use.
  private mutating func pathInsideTop(at offset: Int) throws(XMPError) -> [XMPProperty.PathStep] {
    guard let top = frames.indices.last else { return [] }
    if let path = frames[top].path { return path }
    guard let subject = frames[top].subject else { return [] }
    let step = XMPProperty.PathStep(
      namespace: subject.name.namespace,
      name: subject.name.local,
      index: subject.index
    )
    let path = subject.path + [step]
    pathStepCount += path.count
    guard pathStepCount <= XMPPacket.maximumPathStepCount(length: bytes.count) else {
      throw .limitExceeded(.pathSteps, offset: offset)
    }
    frames[top].path = path
    return path
  }
}

/// The property that a value belongs to.
private struct Subject {
  var name: XMLName
  var index: Int?
  var path: [XMPProperty.PathStep]
}

/// An element that is still open.
private struct Frame {
  enum Role {
    /// Outside of `rdf:RDF`.
    case outside
    /// The element `rdf:RDF` itself.
    case rdf
    /// A resource or an array, which has no name in XMP's data model.
    case node
    /// An element that names a property, an array item or a qualified property's value.
    case property
  }

  var role: Role
  /// The offset of the element's tag, if it is the first element of its subject.
  var start: Int?
  var contentStart: Int
  /// The property whose value the element is or contains.
  var subject: Subject?
  /// The path of the content, if known.
  var path: [XMPProperty.PathStep]?
  /// Whether the value consists of elements or attributes instead of text.
  var isStructure = false
  var isClosedByItself = false
  var itemCount = 0

  init(role: Role, contentStart: Int) {
    self.role = role
    self.contentStart = contentStart
  }
}
