internal import ImageOrientation
internal import Upright

/// What the files state about the orientation.
extension FormatComparison {
  /// Returns how the displayed image of the result differs from that of the original.
  var change: OrientationTransform {
    if let mine = old.items, let theirs = new.items {
      return (mine.shown ?? .none).inverse.then(theirs.shown ?? .none)
    }
    guard !isStatedByCodestream, let main = statements.first(where: { $0.isMain }) else {
      return .none
    }
    return Self.change(main)
  }

  static func change(_ statement: Statement) -> OrientationTransform {
    transform(statement.values.old).inverse.then(transform(statement.values.new))
  }

  static func transform(_ value: Int?) -> OrientationTransform {
    value.flatMap { Orientation(rawValue: $0) }?.transform ?? .none
  }

  /// Adds what the expected transform is compared with the one that was made, and returns it.
  mutating func compare(_ made: OrientationTransform) -> OrientationTransform {
    guard made != then else { return then }
    if made == trusted {
      observations.append(
        .note(
          .tagTrusted,
          "the result is displayed as Orientation of the original's metadata says"
        )
      )
      return made
    }
    let what = made == .none ? "was not transformed" : "was transformed by: \(made)"
    add(
      made == .none ? .notTransformed : .wrongTransform,
      "the displayed image \(what); expected: \(then)",
      nil,
      nil
    )
    let further = made.rawValue
    observations.append(
      .note(
        .transformedFurther,
        "the displayed image was transformed: \(further)",
        remedies: [Remedy(.policy("transform", further), "expect that")]
      )
    )
    return then
  }

  /// The transform of the displayed image if metadata that contradicts `irot` and `imir` is trusted; nil if none does.
  private var trusted: OrientationTransform? {
    guard let items = old.items else { return nil }
    let shown = items.shown ?? .none
    let value = statements.compactMap { $0.values.old }.first { $0 != 0 }
    guard let value, value != 1 || items.shown == nil,
      let orientation = Orientation(rawValue: value), orientation.transform != shown
    else { return nil }
    return shown.inverse.then(orientation.transform).then(then)
  }

  /// Checks that metadata states nothing else than the result's image does, unless it did before.
  mutating func checkStatements(_ made: OrientationTransform) {
    let shown: Int?
    if let items = new.items {
      shown = Orientation(uprightBy: items.shown ?? .none).rawValue
    } else if isStatedByCodestream {
      shown = nil
    } else {
      shown = statements.first { $0.isMain }.map { $0.values.new ?? 1 }
    }
    for statement in statements {
      if let value = statement.values.new, value != statement.values.old,
        Orientation(rawValue: value) == nil
      {
        let (old, new) = statement.places
        add(.orientationStale, "Orientation is \(value), which is reserved", old, new)
      } else if case .page(let index) = statement.kind {
        checkPage(statement, index, made)
      } else {
        check(statement, shown, made)
      }
    }
  }

  private mutating func checkPage(
    _ statement: Statement,
    _ index: Int,
    _ made: OrientationTransform
  ) {
    let change = Self.change(statement)
    guard !statement.isMain, change != .none, change != made else { return }
    add(
      .itemOrientation,
      "page \(index + 1) was transformed by: \(change); expected: \(made)",
      statement.places.old,
      statement.places.new
    )
  }

  private mutating func check(
    _ statement: Statement,
    _ shown: Int?,
    _ made: OrientationTransform
  ) {
    guard !statement.isMain, let value = statement.values.new, value != shown else { return }
    // Where the format has its own statement, 1 states nothing.
    let isNeutral = value == 1 && (new.items != nil || isStatedByCodestream)
    guard value != 0 || statement.values.old != 0, !isNeutral else { return }
    let place = statement.isPacket ? "XMP" : "Exif"
    if value == statement.values.old, made == .none {
      observations.append(
        .note(
          .orientationCopy,
          "Orientation in \(place) is \(value) as before, which is not how the image is displayed",
          result: statement.places.new.lowerBound
        )
      )
    } else {
      add(
        .orientationStale,
        "Orientation in \(place) is \(value), which is not how the image is displayed",
        statement.places.old,
        statement.places.new
      )
    }
  }
}
