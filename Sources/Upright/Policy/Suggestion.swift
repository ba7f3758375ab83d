/// What somebody may have meant by a name that does not exist.
package enum Suggestion {
  /// Returns the end of a message on an unknown name, as in `; did you mean regions?`; empty if no name is similar.
  package static func question(_ word: String, among names: [String]) -> String {
    let found = Self.names(like: word, among: names)
    return found.isEmpty ? "" : "; did you mean \(found.joined(separator: " or "))?"
  }

  /// Returns the name that differs from a word by at most two letters, or up to three names that begin with it.
  package static func names(like word: String, among names: [String]) -> [String] {
    let count = word.utf8.count
    // The work grows with the product of the lengths.
    guard count <= 100 else { return [] }
    var (nearest, least) = ("", min(3, count))
    for name in names {
      let distance = distance(word, name)
      if distance < least { (nearest, least) = (name, distance) }
    }
    if !nearest.isEmpty { return [nearest] }
    guard count > 2 else { return [] }
    let longer = names.filter { $0.utf8.starts(with: word.utf8) }
    return longer.count <= 3 ? longer : []
  }

  /// Returns the Levenshtein distance of two words: the number of bytes to change, insert or remove.
  private static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second.utf8)
    var row = Array(0...second.count)
    for (index, letter) in first.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let change = diagonal + (second[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[second.count]
  }
}
