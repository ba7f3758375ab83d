import Records
import Testing

struct DigestTests {
  /// Source: FIPS 180-4, examples of the standard's authors.
  @Test func `The digest is SHA-256`() {
    #expect(
      Digest(of: Array("abc".utf8)).hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    #expect(
      Digest(of: []).hexadecimal
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
  }

  @Test func `A digest is parsed from its own text only`() {
    let digest = Digest(of: [1, 2, 3])
    #expect(Digest(hexadecimal: digest.hexadecimal) == digest)
    #expect(Digest(hexadecimal: String(digest.hexadecimal.dropLast())) == nil)
    #expect(Digest(hexadecimal: digest.hexadecimal.uppercased()) == nil)
    #expect(Digest(hexadecimal: String(repeating: "g", count: 64)) == nil)
    #expect(Digest(hexadecimal: String(repeating: "é", count: 32)) == nil)
  }
}
