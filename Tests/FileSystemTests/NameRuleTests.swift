import FileSystem
import ImageFormats
import Testing

struct NameRuleTests {
  private func verdict(_ name: String, _ rule: NameRule = NameRule()) -> NameRule.Verdict {
    rule.verdict(Array(name.utf8))
  }

  @Test(arguments: ["a.jpg", "a.JPEG", "a.Jpe", "a.jfif", ".jpg", "a_original.jpg", "a.orig.jpg"])
  func `a name with the ending of a JPEG is taken`(name: String) {
    #expect(verdict(name) == .taken)
    #expect(verdict(name, NameRule(formats: [.heic, .heif, .avif])) == .otherFormat)
  }

  @Test(
    arguments: [
      "a.jpg_original", "a.JPG_original", "a.jpg.orig", "a.jpeg.BAK", "a.jpg~", "a.jpg.orig.orig",
      "a.jpg.bak~",
    ]
  )
  func `a backup of a photo is recognized by every rule`(name: String) {
    #expect(verdict(name) == .backup)
    #expect(verdict(name, NameRule(allNames: true)) == .backup)
  }

  @Test(arguments: ["a", "a.gif", "a.jpg.txt", "jpg", "gjpg", "notes.txt~", "config.bak", "~"])
  func `any other name is not taken, and on request its content decides`(name: String) {
    #expect(verdict(name) == .other)
    let isBackup = name.count > 1 && (name.hasSuffix("~") || name.hasSuffix(".bak"))
    #expect(verdict(name, NameRule(allNames: true)) == (isBackup ? .backup : .candidate))
  }

  @Test func `the run's own backup suffix is recognized, as bytes`() {
    let suffix: [UInt8] = [0x2E, 0xE9]
    let name = Array("a.jpg".utf8) + suffix
    #expect(NameRule(backupSuffix: suffix).verdict(name) == .backup)
    #expect(NameRule().verdict(name) == .other)
    #expect(NameRule(allNames: true).verdict(name) == .candidate)
    #expect(NameRule(backupSuffix: suffix).verdict(suffix) == .other)
  }

  @Test(arguments: ["a.heic", "A.HEIF", "a.hif", "a.avif"])
  func `a name with the ending of a HEIF file is taken if the rule is for HEIF`(name: String) {
    #expect(verdict(name, NameRule(formats: [.heic, .heif, .avif])) == .taken)
    #expect(verdict(name + "_original", NameRule(formats: [.heic, .heif, .avif])) == .backup)
    #expect(verdict(name) == .otherFormat)
  }
}
