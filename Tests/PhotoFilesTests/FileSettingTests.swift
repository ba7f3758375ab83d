import FileSystem
import PhotoFiles
import Testing
import Upright

/// The settings of functions on files, which other languages set by name.
struct FileSettingTests {
  private static func policy(_ name: String, _ value: String) throws -> FilePolicy {
    var call = CallOptions()
    try Setting.named(name, in: Setting.ofFiles).set(&call, to: value)
    #expect(Setting.named(name, in: Setting.ofFiles).value(in: call) == value)
    return try FilePolicy(call)
  }

  @Test func `Each has a name of its own, a sentence, and a default that is one of its values`() {
    let names = (Setting.all + Setting.ofFiles).map(\.name)
    #expect(Set(names).count == names.count)
    for setting in Setting.ofFiles {
      #expect(setting.prose.text.hasSuffix(".") && setting.group == .files)
      let value = setting.value(in: CallOptions())
      #expect(setting.kind != .choice || setting.values.map(\.name).contains(value))
    }
  }

  @Test func `A policy is what the settings request`() throws {
    #expect(try Self.policy("sidecars", "ignore").sidecars == .ignore)
    #expect(try Self.policy("without-sidecars", "true").sidecars == .ignore)
    #expect(try Self.policy("hard-links", "break").breaksHardLinks)
    #expect(try Self.policy("read-only", "rewrite").replacesProtected)
    #expect(try Self.policy("overwrite", "true").overwritesOutputs)
    #expect(try Self.policy("backup", ".orig").backupSuffix == ".orig")
    let times = try Self.policy("times", "now")
    #expect(times.replacement.times == .now && times.creation.times == .now)
    let standard = try FilePolicy(CallOptions())
    #expect(standard.sidecars == .update && !standard.breaksHardLinks)
    #expect(!standard.replacesProtected && !standard.overwritesOutputs)
    #expect(standard.backupSuffix == nil && standard.replacement.times == .visible)
  }

  @Test(arguments: ["", "/", "a/b", ".jpg"])
  func `A suffix that leads elsewhere, or to a photo, is none for backups`(suffix: String) throws {
    #expect { try Self.policy("backup", suffix) } throws: {
      ($0 as? UprightError)?.code == .unknownValue
    }
  }
}
