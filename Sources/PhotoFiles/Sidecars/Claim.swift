internal import FileSystem
package import SystemPackage

/// To whom a file beside a photo belongs besides, or instead.
package enum Claim: Hashable, Sendable {
  /// It is that of another file.
  case owner(String)
  /// It may be that of another file, too.
  case sharer(FilePath)
  /// It is a link to another file.
  case link(FilePath)
}

extension Claim {
  /// The claim as a predicate, such as "is the sidecar of b.cr2".
  package var text: String {
    switch self {
    case .owner(let name): "is the sidecar of \(name)"
    case .sharer(let path): "may also be that of \(path.escaped)"
    case .link(let target): "is a link to \(target.escaped)"
    }
  }
}
