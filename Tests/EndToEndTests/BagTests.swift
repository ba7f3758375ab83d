import Fixtures
import Foundation
import Testing

private let script = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../tools/records/bagit-update").standardized

struct BagTests {
  @Test func `A bag is brought up to date, and one that is not valid is never called so`() throws {
    let arguments = [script.path, "--self-test", "--upright", uprightBinary.path]
    let tool = try Tool.run("python3", arguments)
    #expect(tool.status == 0, "\(tool.text)\(tool.errorText)")
    #expect(tool.text.contains("the self-test passed"))
  }
}
