internal import FileSystem
internal import Reports
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How a browser gets from a page to the files that were audited.
struct PageLinks: Decodable, Sendable {
  /// From the page's directory to the working directory, as a relative reference that is empty or ends with `/`.
  var working: String
  /// The page's directory; only where the path of a file is absolute.
  var directory: String?

  /// The links of a page.
  init(of page: FilePath) {
    let working = FilePath(FileManager.default.currentDirectoryPath)
    let directory = working.pushing(page).removingLastComponent().lexicallyNormalized()
    self.directory = Self.encoded(directory)
    let (from, to) = (Array(directory.components), Array(working.components))
    let common = zip(from, to).prefix { $0 == $1 }.count
    let steps =
      Array(repeating: "..", count: from.count - common)
      + to.dropFirst(common).map { Self.encoded(FilePath(root: nil, components: $0)) }
    self.working = steps.map { $0 + "/" }.joined()
  }

  /// Returns a path percent-encoded for a URL (RFC 3986, section 2.1).
  static func encoded(_ path: FilePath) -> String {
    path.bytes.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(Unicode.Scalar(byte))
      default: "%" + String(byte, radix: 16, uppercase: true).leftPadded(to: 2)
      }
    }.joined()
  }
}

extension PageLinks: JSONObject {
  func writeFields(to json: inout JSONWriter) {
    json.field("directory", directory)
    json.field("working", working)
  }
}
