import Fixtures
import Foundation
import Testing

private let script = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../tools/records/upright-bagit-update").standardized

struct BagTests {
  @Test func `A bag is updated, and an invalid one is never reported as valid`() throws {
    let arguments = [script.path, "--self-test", "--upright", uprightBinary.path]
    let tool = try Tool.run("python3", arguments)
    #expect(tool.status == 0, "\(tool.text)\(tool.errorText)")
    #expect(tool.text.contains("the self-test passed"))
  }
}
