import FileSystem
import Fixtures
import Foundation
import ImageOrientation
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

/// What became of the files of a run, in their order.
struct FileReports: Sendable {
  var reports: [FileReport] = []
  /// How many files were not taken, by the reason.
  var ignored: [Walk.Reason: Int] = [:]

  /// What becomes of the files as a whole, as the exit status of a command says it.
  enum Verdict {
    case done, skipped, failed
  }

  var verdict: Verdict {
    if reports.contains(where: { $0.status == .failed || $0.companionFailed }) { return .failed }
    return statuses.contains(.skipped) ? .skipped : .done
  }

  var statuses: [Status] { reports.map(\.status) }
  /// Why each file was left as it is; nil if it was not.
  var reasons: [Reason.Code?] { reports.map { $0.reason?.code } }
  /// The codes of the errors; nil for a file without one.
  var failures: [String?] { reports.map { FileResult($0).error?.code.rawValue } }

  /// The report of the only file.
  var only: FileReport {
    get throws { try #require(reports.count == 1 ? reports[0] : nil, "\(reports.count) reports") }
  }

  static func + (one: FileReports, other: FileReports) -> FileReports {
    FileReports(
      reports: one.reports + other.reports,
      ignored: one.ignored.merging(other.ignored, uniquingKeysWith: +)
    )
  }
}

extension FileReport {
  /// Why the file was left as it is; nil if it was not.
  var reason: Reason? { FileResult(self).reason }

  /// Why the file could not be processed; nil if it could.
  var error: UprightError? { FileResult(self).error }

  /// Returns what is said of the companion whose path ends with a name; nil if nothing is.
  func companion(_ name: String) -> CompanionResult? {
    companions.first { $0.path.string.hasSuffix("/" + name) }
  }
}

extension Request {
  /// The displayed image is rotated clockwise.
  static let rotate90 = Request.transform(.rotate90, tagOnly: false)
}

extension Scratch {
  /// The contents of the files, by their names; that of a folder or of a link that leads nowhere is empty.
  func contents() throws -> [String: [UInt8]] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
    return names.reduce(into: [:]) { contents, name in contents[name] = (try? read(name)) ?? [] }
  }

  /// Makes a symbolic link, and the folders that lead to it.
  @discardableResult
  func link(_ name: String, to target: String) throws -> String {
    let folder = url.appending(path: name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    return path(name)
  }

  /// Gives a file a second name.
  func hardLink(_ name: String, to other: String) throws {
    try FileManager.default.linkItem(atPath: path(other), toPath: path(name))
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
  }

  /// Sets who may read and write a file.
  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
  }
}

/// The result of a fixture that is normalized, which the tests of the library verify.
func normalized(_ fixture: String) throws -> [UInt8] {
  let rewrite = try Rewriter().rewrite(Fixture.bytes(fixture)).rewrite
  return try #require(rewrite).bytes
}
