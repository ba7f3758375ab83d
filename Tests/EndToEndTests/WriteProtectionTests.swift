import Fixtures
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Files that are read-only or belong to others, and whose directory may be written, as a user meets them who is not root.
struct WriteProtectionTests {
  /// A user and group that own nothing else.
  private static let user = "12345"
  private static let record = "record.ndjson"

  /// A row of the matrix of mode, owner and link.
  struct Row: CustomTestStringConvertible {
    var mode: Int
    var isOfOther: Bool
    var isLink: Bool

    static let all = [0o644, 0o444, 0o464].flatMap { mode in
      [false, true].flatMap { isOfOther in
        [false, true].map { Row(mode: mode, isOfOther: isOfOther, isLink: $0) }
      }
    }

    var isProtected: Bool { mode & 0o200 == 0 || isOfOther }

    var testDescription: String {
      String(mode, radix: 8) + (isOfOther ? ", other owner" : "") + (isLink ? ", link" : "")
    }
  }

  static let commands = [
    ["normalize"], ["rotate", "90"], ["flip", "horizontal"], ["tag", "set", "3"],
    ["crop", "16x16+0+0", "--backup", ".old"], ["undo"], ["undo", "--record", record],
    ["undo", "--strip"],
  ]
  static let combinations = commands.enumerated().flatMap { index, command in
    Effort.part(Row.all, of: index).map { ($0, command) }
  }

  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    .enabled(if: geteuid() == 0, "needs another user: run the tests as root"),
    arguments: combinations
  )
  func `A file that may not be written is skipped, whatever the command`(
    row: Row,
    command: [String]
  ) throws {
    let file = try scratch.copy(rotatedFixture, as: "store/a.jpg")
    if command[0] == "undo" {
      let undo = command.contains("--record") ? Array(command.suffix(2)) : ["--embed-undo"]
      #expect(try upright(["normalize"] + undo + [file], in: scratch.url.path).status == 0)
    }
    let before = try scratch.read("store/a.jpg")
    try set(row, file)
    var name = "store/a.jpg"
    if row.isLink {
      name = "link.jpg"
      let link = scratch.url.appending(path: name).path
      try FileManager.default.createSymbolicLink(
        atPath: link,
        withDestinationPath: "store/a.jpg"
      )
    }
    for arguments in [["-n"], []] {
      let result = try run(command + arguments + ["--format", "ndjson", name], row)
      let id = try result.report?.reason?.id
      #expect(
        (id == "write-protected") == row.isProtected,
        "\(arguments) \(result.text)\(result.errorText)"
      )
      let isChanged = try scratch.read("store/a.jpg") != before
      #expect(isChanged == (!row.isProtected && arguments.isEmpty))
    }
    if command == ["normalize"] {
      try scratch.write(before, to: "store/a.jpg")
      try set(row, file)
      let audit = try run(["audit", "--format", "ndjson", name], row)
      #expect(try (audit.report?.reason?.id == "write-protected") == row.isProtected)
    }
    // The system may refuse a user the second name of another user's file, which the backup is.
    let needsLink = command.contains("--backup") && row.isOfOther
    guard row.isProtected, !needsLink else { return }
    let insisted = try run(command + ["--read-only", "rewrite", name], row)
    #expect(insisted.status == 0, "\(insisted.errorText)")
    #expect(try scratch.read("store/a.jpg") != before)
  }

  /// A user whose file belongs to a group that the user is not in.
  private static let stranger = Row(mode: 0o664, isOfOther: true, isLink: false)

  @Test(
    .enabled(if: geteuid() == 0, "needs another user: run the tests as root"),
    arguments: [("2777", "777", true), ("2777", "778", false), ("777", "777", false)]
  )
  func `A file of another group is replaced only where its directory gives that group`(
    mode: String,
    group: String,
    isReplaced: Bool
  ) throws {
    let file = try scratch.copy(rotatedFixture, as: "store/a.jpg")
    _ = try Tool.run("chmod", ["755", scratch.url.path])
    _ = try Tool.run("chown", ["\(Self.user):777", file])
    _ = try Tool.run("chown", ["\(Self.user):\(group)", scratch.path("store")])
    _ = try Tool.run("chmod", [mode, scratch.path("store")])
    _ = unsafe chmod(file, 0o664)
    for arguments in [["audit"], ["normalize", "-n"], ["normalize"]] {
      let result = try run(arguments + ["--format", "ndjson", "store/a.jpg"], Self.stranger)
      let id = try result.report?.reason?.id
      #expect(id == (isReplaced ? nil : "write-protected"), "\(arguments) \(result.text)")
    }
    #expect(try (scratch.read("store/a.jpg") != Fixture.bytes(rotatedFixture)) == isReplaced)
    #expect(try Tool.run("stat", ["-c", "%g %a", file]).lines == ["777 664"])
  }

  @Test(.enabled(if: geteuid() == 0, "needs another user: run the tests as root"))
  func `In a directory that gives its group, a result has the group of its original`() throws {
    let file = try scratch.copy(rotatedFixture, as: "store/a.jpg")
    _ = try Tool.run("chown", ["\(Self.user):778", file])
    _ = unsafe chmod(file, 0o640)
    try scratch.write([], to: "out/x")
    for folder in ["store", "out"] {
      _ = try Tool.run("chown", ["0:777", scratch.path(folder)])
      _ = try Tool.run("chmod", ["2755", scratch.path(folder)])
    }
    // A new file has the group of its directory, and the rights that everybody has.
    let output = scratch.path("out/a.jpg")
    #expect(try upright(["normalize", "-q", "-o", output, file]).status == 0)
    #expect(try Tool.run("stat", ["-c", "%u %g %a", output]).lines == ["0 777 600"])
    #expect(try upright(["normalize", "-q", file]).status == 0)
    #expect(try Tool.run("stat", ["-c", "%u %g %a", file]).lines == ["\(Self.user) 778 640"])
  }

  private func set(_ row: Row, _ file: String) throws {
    let owner = row.isOfOther ? "0" : Self.user
    _ = try Tool.run("chown", ["-hR", "\(Self.user):\(Self.user)", scratch.url.path])
    _ = try Tool.run("chown", ["\(owner):\(owner)", file])
    _ = try Tool.run("chmod", ["777", scratch.url.path, scratch.path("store")])
    _ = unsafe chmod(file, mode_t(row.mode))
  }

  private func run(_ arguments: [String], _ row: Row) throws -> Tool {
    let ids = ["--reuid", Self.user, "--regid", Self.user, "--clear-groups"]
    let command = ["-c", "cd \"$0\" && exec setpriv \"$@\"", scratch.url.path]
    return try Tool.run("sh", command + ids + [uprightBinary.path] + arguments)
  }
}

extension Tool {
  /// The only report.
  fileprivate var report: Line? { get throws { try json().first } }
}
