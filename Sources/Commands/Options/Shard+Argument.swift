internal import ArgumentParser
internal import PhotoFiles

extension Shard {
  /// Parses `K/N`.
  init(parsing argument: String) throws {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), count > 0 else {
      throw ValidationError("K/N is two numbers, such as 0/4 for the first of four parts.")
    }
    guard let shard = Shard(index: index, count: count) else {
      throw ValidationError(
        "Parts are counted from 0; the last one of \(count) is \(count - 1)/\(count)."
      )
    }
    self = shard
  }
}
