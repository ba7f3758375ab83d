/// The parts of a form as sent by browsers.
///
/// Source: RFC 7578 (forms), RFC 2046, section 5.1 (the syntax).
struct MultipartForm {
  /// A field of the form.
  struct Part {
    var name: String
    /// The name of the file in the field, if there is one.
    var fileName: String?
    /// The range of the content in the body.
    var range: Range<Int>
  }

  private(set) var parts: [Part] = []

  /// The error of a body that is not a valid form.
  struct Malformed: Error {
    var text: String
  }

  private static let maxParts = 16
  private static let maxHeadSize = 8192

  /// - Throws: ``Malformed``.
  init(_ body: [UInt8], boundary: String) throws(Malformed) {
    let opening = Array("--\(boundary)".utf8)
    let delimiter = Array("\r\n".utf8) + opening
    // The bytes before the first boundary are ignored.
    guard var position = body.starts(with: opening) ? opening.count : Self.end(delimiter, body, 0)
    else { throw Malformed(text: "the boundary does not occur in the body") }
    while !body[position...].starts(with: Array("--".utf8)) {
      guard parts.count < Self.maxParts else {
        throw Malformed(text: "the form has too many parts")
      }
      guard let head = Self.end(Array("\r\n".utf8), body, position),
        let start = Self.end(
          Array("\r\n\r\n".utf8),
          body,
          head - 2,
          within: Self.maxHeadSize
        )
      else { throw Malformed(text: "a part of the form has no head") }
      guard let next = Self.end(delimiter, body, start - 2) else {
        throw Malformed(text: "the form ends within a part")
      }
      let lines = String(decoding: body[head..<max(head, start - 4)], as: UTF8.self)
      let end = max(start, next - delimiter.count)
      guard let part = Self.part(lines, start..<end) else {
        throw Malformed(text: "a part of the form has no name")
      }
      parts.append(part)
      position = next
    }
  }

  /// Returns the boundary of a form, or nil for another content type.
  static func boundary(_ contentType: String) -> String? {
    guard let type = contentType.split(separator: ";").first,
      type.trimmingSpaces().lowercased() == "multipart/form-data"
    else { return nil }
    let boundary = parameter("boundary", of: contentType) ?? ""
    return (1...70).contains(boundary.utf8.count) ? boundary : nil
  }

  private static func part(_ head: String, _ range: Range<Int>) -> Part? {
    for line in head.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":"),
        line[..<colon].lowercased() == "content-disposition"
      else { continue }
      let value = String(line[line.index(after: colon)...])
      guard let name = parameter("name", of: value) else { return nil }
      return Part(name: name, fileName: parameter("filename", of: value), range: range)
    }
    return nil
  }

  /// Returns a parameter of a field's value, as in `form-data; name="photo"`.
  private static func parameter(_ requested: String, of value: String) -> String? {
    var rest = Substring(value)
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: semicolon)...].trimmingSpaces()
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let name = rest[..<equals].trimmingSpaces().lowercased()
      rest = rest[rest.index(after: equals)...].trimmingSpaces()
      var text: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        // Browsers encode a quotation mark as %22.
        guard let end = rest.firstIndex(of: "\"") else { return nil }
        text = rest[..<end]
        rest = rest[end...].dropFirst()
      } else {
        text = rest.prefix { $0 != ";" }.trimmingSpaces()
      }
      if name == requested { return String(text) }
    }
    return nil
  }

  /// Returns the position after the first occurrence of a pattern.
  private static func end(
    _ pattern: [UInt8],
    _ body: [UInt8],
    _ start: Int,
    within length: Int = .max
  ) -> Int? {
    let (pattern, body) = (pattern.span, body.span)
    let last = min(body.count, length > body.count - start ? body.count : start + length)
    var position = start
    while position &+ pattern.count <= last {
      var matched = 0
      while matched < pattern.count, body[position &+ matched] == pattern[matched] { matched &+= 1 }
      if matched == pattern.count { return position + matched }
      position &+= 1
    }
    return nil
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Returns the text without spaces and tabs at its ends.
  func trimmingSpaces() -> Substring {
    var text = self[...]
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
