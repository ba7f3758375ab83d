internal import CFileSystem
package import Foundation

/// A temporary folder of a test, removed with its content at the end of the test.
package final class Scratch: Sendable {
  package let url: URL

  /// A folder on a disk.
  package static let disk = FileManager.default.temporaryDirectory

  /// A folder in memory with room, whose files need not wait for a disk and can have all that those on one can, where
  /// there is one; otherwise the usual one.
  package static let memory: URL = {
    let memory = URL(filePath: "/dev/shm")
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)
    let hasRoom = (facts?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0 > 1 << 30
    return hasRoom && keepsAttributes(memory) ? memory : disk
  }()

  /// Whether files in a folder can have extended attributes.
  private static func keepsAttributes(_ folder: URL) -> Bool {
    #if os(Linux)
    guard let scratch = try? Scratch(in: folder), let file = try? scratch.write([], to: "x")
    else { return false }
    return unsafe setxattr(file, "user.upright", [1], 1, 0) == 0
    #else
    return true
    #endif
  }

  /// By day in memory: waiting for a disk would take a tenth of the time of all tests.
  package init(in place: URL = Effort.isExhaustive ? disk : memory) throws {
    url =
      place
      .appending(path: "upright-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file, and the folders that lead to it.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Copies a fixture into the folder, with its own name by default.
  @discardableResult
  package func copy(_ fixture: String, as name: String? = nil) throws -> String {
    try write(try Fixture.bytes(fixture), to: name ?? fixture)
  }

  package func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appending(path: name)))
  }

  package func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  /// The files in the folder and below, hidden ones too, as sorted relative paths.
  package func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: url.path)
      .filter {
        try url.appending(path: $0).resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
          == true
      }
      .sorted()
  }
}
