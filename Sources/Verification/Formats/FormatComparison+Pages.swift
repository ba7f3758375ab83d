internal import FileBytes
internal import ImageOrientation

/// The comparison of the directories of TIFF files and Exif blocks.
extension FormatComparison {
  /// Compares the pages of TIFF files, of which the parts are compared apart.
  mutating func comparePages() {
    guard let mine = old.tree, let theirs = new.tree else { return }
    for (index, (a, b)) in zip(mine.pages, theirs.pages).enumerated() {
      let name = index == 0 ? "exif.ifd0" : "exif.page-\(index + 1)"
      compareDirectories((mine, a), (theirs, b), .page(index), name)
    }
    let packet = mine.pages.first?.first(TIFFTree.packet)?.value
    checkUse(of: mine.pages.map { $0.range } + (packet.map { [$0] } ?? []), in: mine)
  }

  /// Marks the statement that readers follow: that of the first page that is no reduced rendition, or the first one in
  /// Exif.
  mutating func chooseMain() {
    guard old.items == nil else { return }
    let (tree, page) = (old.tree, old.tree.map { mainPage($0) })
    let main = statements.firstIndex { statement in
      switch statement.kind {
      case .page(let index): index == page
      case .exif: tree == nil
      case .packet: false
      }
    }
    if let main { statements[main].isMain = true }
  }

  /// The stored size of the original, as far as it is known.
  var oldSize: PixelSize? {
    let bytes = files.original.span
    if let items = old.items { return items.size(bytes) }
    if let tree = old.tree {
      let page = mainPage(tree)
      guard page < tree.pages.count else { return nil }
      let sides = [0x100, 0x101].map { (tag: UInt16) in
        tree.pages[page].first(tag).flatMap { tree.integers($0, bytes, maxCount: 1).first } ?? 0
      }
      return sides.contains { $0 <= 0 } ? nil : PixelSize(width: sides[0], height: sides[1])
    }
    guard bytes.hasPrefix("IHDR", at: 12), let width = bytes.uint32(at: 16),
      let height = bytes.uint32(at: 20), width > 0, height > 0
    else { return nil }
    return PixelSize(width: width.length, height: height.length)
  }

  private func mainPage(_ tree: TIFFTree) -> Int {
    // IFD0 of a DNG file usually has a preview.
    guard tree.pages.first?.first(TIFFTree.version) == nil else { return 0 }
    let page = tree.pages.firstIndex { page in
      guard let entry = page.first(TIFFTree.subfileType) else { return true }
      let kind = tree.integers(entry, files.original.span, maxCount: 1).first
      return kind.map { $0 & 1 == 0 } ?? true
    }
    return page ?? 0
  }

  /// Checks that bytes of directories and packets that differ are used for nothing else.
  ///
  /// `shift` is the distance of the same byte in the result.
  mutating func checkUse(of ranges: [Range<Int>], in tree: TIFFTree, shift: Int = 0) {
    let used = (tree.used + tree.directories.map { $0.range }).inFileOrder { $0 }
    // How far groups of them reach, of which most are left out.
    let groups = stride(from: 0, to: used.count, by: 256).map { start in
      let group = used[start..<min(start + 256, used.count)]
      return (group, end: group.map { $0.upperBound }.max() ?? 0)
    }
    for range in ranges {
      let near = groups.prefix { ($0.0.first?.lowerBound ?? 0) < range.upperBound }
        .filter { $0.end > range.lowerBound }
      for other in near.lazy.map({ $0.0 }).joined() where other != range && other.overlaps(range) {
        let shared = other.clamped(to: range)
        let place = shared.lowerBound + shift..<shared.upperBound + shift
        guard place.upperBound <= files.result.count, !files.isEqual(shared, place) else {
          continue
        }
        add(.sharedBytes, "a byte that changed is also used by other data", shared, place)
        break
      }
    }
  }
}
