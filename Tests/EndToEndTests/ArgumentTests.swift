import Fixtures
import Foundation
import Testing

/// Names on the command line that are not UTF-8, or differ only in their Unicode normalization.
struct ArgumentTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs a script of the shell in the scratch folder, where `upright` is the command and `photo` a photo.
  private func shell(_ script: String) throws -> Tool {
    let photo = try scratch.copy(rotatedFixture, as: "photo")
    let setup = "cd \"$0\"; upright() { '\(uprightBinary.path)' \"$@\"; }; photo='\(photo)'; "
    return try Tool.run("bash", ["-c", setup + script, scratch.path("")])
  }

  @Test(
    arguments: [
      (#"\xff.jpg"#, #"\xfe.jpg"#), (#"\xc3\xa9.jpg"#, #"e\xcc\x81.jpg"#),
      (#"\xf4\x8f\xbb\xbf.jpg"#, #"\xff.jpg"#), (#"a\xe9\xe9b\xc3.jpg"#, #"a\xc3\xa9b\xc3.jpg"#),
    ]
  )
  func `Two names that are not UTF-8 are distinguished`(names: (String, String)) throws {
    let result = try shell(
      """
      for name in $'\(names.0)' $'\(names.1)'; do cp "$photo" "$name"; done
      upright normalize $'\(names.0)' $'\(names.1)'
      """
    )
    #expect(result.lines.last == "2 files: 2 rotated", "\(result.text)\(result.errorText)")
  }

  @Test func `Options take names, patterns and suffixes as bytes`() throws {
    let result = try shell(
      #"""
      mkdir -p tree/$'\xe9'; cp "$photo" tree/$'\xe9'/a.jpg; cp "$photo" tree/b.jpg
      upright normalize -r tree --exclude=$'\xe9' --backup=$'.\xe9' --record=$'\xff.ndjson' &&
      test -f $'\xff.ndjson' && test -f tree/b.jpg$'.\xe9' && ! test -f tree/b.jpg$'.\xef\xbf\xbd'
      """#
    )
    #expect(result.status == 0, "\(result.text)\(result.errorText)")
    #expect(result.lines.count == 1 && result.text.hasPrefix("tree/b.jpg: rotated 90°"))
  }
}
