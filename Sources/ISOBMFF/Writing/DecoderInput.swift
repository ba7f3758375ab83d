internal import FileBytes

extension MediaFile {
  /// Returns the file for libheif before 1.18, which accepts an auxiliary image of one image only: a gain map that
  /// belongs to an image and to a tone-mapped one, as of iOS 18, belongs to the image.
  ///
  /// The box `meta` keeps its size, so that no offset changes.
  package func decoderInput(_ file: [UInt8]) throws(FormatError) -> [UInt8] {
    let meta = try boxes.required("meta")
    guard let new = try singleReferences(file, meta) else { return file }
    var result = Array(file[..<meta.range.lowerBound])
    result += new
    result += file[meta.range.upperBound...]
    return result
  }

  /// Returns a box `meta` in which each auxiliary image has one target; nil if it is so already.
  private func singleReferences(
    _ file: [UInt8],
    _ meta: Box
  ) throws(FormatError) -> [UInt8]? {
    let children = try Box.boxes(file.span, in: try meta.fullBox(file.span).fields.rest)
    guard let handler = try children.only("hdlr"), let list = try children.only("iref") else {
      return nil
    }
    let (version, _, fields) = try list.fullBox(file.span)
    let size = version == 0 ? 2 : 4
    var references: [UInt8] = []
    for reference in try Box.boxes(file.span, in: fields.rest) {
      var own = reference.fields
      let item = try own.integer(size, file.span)
      var targets: [Int] = []
      for _ in 0..<(try own.integer(2, file.span)) {
        targets.append(try own.integer(size, file.span))
      }
      guard reference.type == "auxl", targets.count > 1,
        let kept = targets.first(where: { directory.items[$0]?.type != "tmap" })
      else {
        references += file[reference.range]
        continue
      }
      let content = [item, 1, kept].enumerated().flatMap { index, value in
        UInt32(clamping: value).bytes(.big).suffix(index == 1 ? 2 : size)
      }
      references += UInt32(8 + content.count).bytes(.big) + reference.type.rawValue.bytes(.big)
      references += content
    }
    let removed = fields.rest.count - references.count
    guard removed > 0 else { return nil }
    var result = Array(file[meta.range.lowerBound..<(children.first ?? list).range.lowerBound])
    for child in children {
      var bytes = Array(file[child.range])
      // What the list loses, the handler gains after its name.
      if child == list {
        bytes = Array(file[child.range.lowerBound..<fields.rest.lowerBound]) + references
      } else if child == handler {
        bytes += [UInt8](repeating: 0, count: removed)
      }
      if bytes.count != child.range.count {
        guard child.content.lowerBound == child.range.lowerBound + 8 else { return nil }
        bytes.replaceSubrange(0..<4, with: UInt32(clamping: bytes.count).bytes(.big))
      }
      result += bytes
    }
    return result
  }
}
