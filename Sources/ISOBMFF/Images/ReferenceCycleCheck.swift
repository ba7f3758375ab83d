/// Checks that items do not refer to themselves, directly or through others.
struct ReferenceCycleCheck {
  let directory: ItemDirectory
  let type: FourCharacterCode
  let maxDepth: Int

  func check() throws(FormatError) {
    var depths: [Int: Int] = [:]
    for identifier in directory.order { _ = try depth(of: identifier, [], &depths) }
  }

  /// Returns the number of references from an item to the last one.
  private func depth(
    of identifier: Int,
    _ path: [Int],
    _ depths: inout [Int: Int]
  ) throws(FormatError) -> Int {
    if let known = depths[identifier] { return known }
    guard !path.contains(identifier) else {
      throw .malformed("item \(identifier) refers to itself through references of type \(type)")
    }
    guard path.count <= maxDepth else { throw tooDeep }
    var depth = 0
    for target in directory.items[identifier]?.targets(type) ?? [] {
      depth = max(depth, try self.depth(of: target, path + [identifier], &depths) + 1)
    }
    guard depth <= maxDepth else { throw tooDeep }
    depths[identifier] = depth
    return depth
  }

  private var tooDeep: FormatError {
    .limit("more than \(maxDepth) items refer to each other by references of type \(type)")
  }
}
