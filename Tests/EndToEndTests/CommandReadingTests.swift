import Fixtures
import Foundation
import Testing

/// Command lines that are read without the parser, compared with the same lines and `--` at the end, for which it is needed.
struct CommandReadingTests {
  /// What a command has done.
  private struct Effect: Equatable {
    var status: Int32
    var output: String
    var error: String
    /// The files, with their bytes if these do not depend on the time or the command line.
    var files: [String: [UInt8]]
  }

  /// The commands that may be read so, with the arguments that they need.
  private static let commands = [
    ["normalize"], ["audit"], ["rotate", "90"], ["flip", "vertical"], ["transpose"], ["transverse"],
  ]

  private static let values = [
    "count": "2", "dir": "out", "file": "new.ndjson", "formats": "jpeg,tiff", "glob": "*.jpg",
    "k/n": "0/2", "mib": "512", "suffix": ".before",
  ]

  private static func effect(_ line: [String]) throws -> Effect {
    let scratch = try Scratch()
    try scratch.copy(rotatedFixture, as: "photo.jpg")
    try scratch.copy(rotatedFixture, as: "folder/photo.jpg")
    let photo = try scratch.read("photo.jpg")
    let result = try upright(line, input: photo, in: scratch.url.path)
    let files = try scratch.files().map { ($0, $0.hasSuffix("n") ? [] : try scratch.read($0)) }
    return Effect(
      status: result.status,
      output: result.text,
      error: result.errorText,
      files: Dictionary(uniqueKeysWithValues: files)
    )
  }

  private static func compare(_ line: [String]) throws {
    #expect(try effect(line) == effect(line + ["--"]), "\(line.joined(separator: " "))")
  }

  @Test(arguments: commands)
  func `Each option has the effect that it has with the parser`(command: [String]) throws {
    let name = "upright \(command[0])"
    let arguments = try #require(HelpDump.commands().first { $0.command == name }).arguments
    for option in arguments where option.kind != "positional" {
      for name in option.names ?? [] where !["help", "h", "version"].contains(name.name) {
        var line = command + ["photo.jpg", name.spelling]
        if option.kind == "option" {
          let value = option.allValues?.last ?? Self.values[option.valueName ?? ""]
          line.append(try #require(value, "\(option.valueName ?? "")"))
        }
        try Self.compare(line)
      }
    }
    #expect(arguments.count > 20)
  }

  @Test(
    arguments: [
      "normalize", "normalize -", "normalize - -o -", "normalize photo.jpg -o -",
      "normalize -r .", "normalize . --recursive -n -q", "normalize -rn .",
      "normalize photo.jpg --record", "normalize photo.jpg --record -n",
      "normalize photo.jpg --record=a.ndjson", "normalize photo.jpg folder/photo.jpg -v",
      "normalize --unknown photo.jpg", "normalize -x photo.jpg", "normalize -quiet photo.jpg",
      "normalize --q photo.jpg", "normalize photo.jpg --jobs 0", "normalize photo.jpg -j2",
      "normalize photo.jpg --jobs two", "normalize photo.jpg -q -q --output a.jpg -o b.jpg",
      "normalize photo.jpg --help", "normalize --lossless-only --unaligned keep photo.jpg",
      "audit . --check", "audit photo.jpg - ", "audit . --include *.png --include *.jpg",
      "rotate photo.jpg", "rotate rotate90 photo.jpg", "rotate -90 photo.jpg",
      "rotate left photo.jpg --tag-only", "rotate", "flip", "flip photo.jpg", "transpose .",
    ]
  )
  func `A command line has the effect that it has with the parser`(line: String) throws {
    try Self.compare(line.split(separator: " ").map(String.init))
  }
}
