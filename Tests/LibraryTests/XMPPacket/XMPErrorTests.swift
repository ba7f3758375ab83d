import Fixtures
import Testing
import XMPPacket

@Suite struct `Refusing a packet` {
  private func error(_ bytes: [UInt8]) -> XMPError? {
    do throws(XMPError) {
      _ = try XMPPacket(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func error(_ text: String) -> XMPError? { error(Array(text.utf8)) }

  @Test func `malformed XML is rejected with its offset and expat's message`() {
    #expect(error("<a><b></a>") == .malformed(offset: 8, message: "mismatched tag"))
    #expect(error("<a>") == .malformed(offset: 3, message: "no element found"))
    #expect(error("<a/>\n<b q:c='1'/>") == .malformed(offset: 5, message: "unbound prefix"))
    #expect(error("<a>&nbsp;</a>") == .malformed(offset: 3, message: "undefined entity"))
    #expect(error("{}") != nil)
    #expect(error("<a>\0</a>") != nil)
    #expect(error([0x3C, 0x61, 0x3E, 0xFF, 0x3C]) != nil)
  }

  @Test func `a document type stops the parser before its entities are read`() {
    let text = """
      <!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
      <l>&c;</l>
      """
    #expect(error(text) == .documentType(offset: 12))
    #expect(error("<?xpacket begin=''?><!DOCTYPE l SYSTEM 'x'><l/>") == .documentType(offset: 42))
  }

  @Test func `encodings other than UTF-8 are rejected`() {
    #expect(
      error("<?xml version='1.0' encoding='ISO-8859-1'?><a/>")
        == .unsupportedEncoding(offset: 0, name: "ISO-8859-1")
    )
    let utf16 = Array("<a/>".utf16)
    let big = utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let little = utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [big, little, [0xFE, 0xFF] + big, [0xFF, 0xFE] + little] {
      #expect(error(bytes) == .unsupportedEncoding(offset: 0, name: "UTF-16"))
    }
    let utf32 = utf16.flatMap { unit -> [UInt8] in [UInt8(unit), 0, 0, 0] }
    #expect(error(utf32) == .unsupportedEncoding(offset: 0, name: "UTF-32"))
  }

  @Test func `nesting is limited`() throws {
    let depth = XMPPacket.maximumDepth
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(error(nested(depth)) == nil)
    #expect(error(nested(depth + 1)) == .limitExceeded(.depth, offset: 3 * depth))
  }

  @Test func `length, parts and namespaces are limited`() {
    let long = [UInt8](repeating: 0x20, count: XMPPacket.maximumLength + 1)
    #expect(error(long) == .limitExceeded(.length, offset: XMPPacket.maximumLength))
    #expect(error(Array(long.dropLast())) == nil)
    let parts = String(repeating: "<a/>", count: XMPPacket.maximumPartCount)
    #expect(error(parts) == nil)
    #expect(error(parts + "<a/>") == .limitExceeded(.parts, offset: parts.utf8.count))
    let uri = String(repeating: "u", count: XMPPacket.maximumNamespaceLength)
    #expect(error("<a xmlns:xmlns-b = '\(uri)'/>") == nil)
    #expect(error("<a xmlns:b = '\(uri)u'/>") == .limitExceeded(.namespace, offset: 3))
    #expect(error("<a b='xmlns=' xmlns:c='\(uri)u'/>") == .limitExceeded(.namespace, offset: 14))
    #expect(error("<a xmlns=\"\(uri)u\"/>") == .limitExceeded(.namespace, offset: 3))
  }

  @Test func `the total length of paths is limited`() {
    let depth = 200
    let open = String(repeating: "<dc:a>", count: depth)
    let close = String(repeating: "</dc:a>", count: depth)
    let structures = String(repeating: "<dc:b dc:c=''/>", count: 6000)
    let text = rdf("<rdf:Description>" + open + structures + close + "</rdf:Description>")
    guard case .limitExceeded(.pathSteps, _) = error(text) else {
      Issue.record("the paths were accepted")
      return
    }
  }

  @Test func `the number of elements and attributes is limited, in every notation`() {
    let half = XMPPacket.maximumNameCount / 2
    for comment in ["", "<!-- -->"] {
      let within = "<a>\(comment)" + String(repeating: "<a b=''/>", count: half - 1) + "<a/>"
      #expect(error(within + "</a>") == nil)
      #expect(error(within + "<a/></a>") == .limitExceeded(.names, offset: within.utf8.count))
      let second = "\(within)</a>"
      #expect(error(second + "<a/>") == .limitExceeded(.names, offset: second.utf8.count))
    }
  }

  @Test func `the length of names is limited, in every notation`() {
    let name = String(repeating: "n", count: XMPPacket.maximumNameLength)
    for comment in ["", "<!-- -->"] {
      #expect(error("<a>\(comment)<\(name) \(name)=''/></a>") == nil)
      for tag in ["<n\(name)/>", "<a n\(name)=''/>"] {
        let text = "<a>\(comment)"
        #expect(error("\(text)\(tag)</a>") == .limitExceeded(.nameLength, offset: text.utf8.count))
      }
    }
  }

  @Test func `no truncation and no changed byte crashes the reader`() {
    let text = wrapped(
      "<rdf:Description dc:a='1'><dc:b><rdf:Seq><rdf:li>2</rdf:li></rdf:Seq></dc:b></rdf:Description>"
    )
    let bytes = Array(text.utf8)
    var refused = 0
    for index in bytes.indices {
      if error(Array(bytes[..<index])) != nil { refused += 1 }
      for byte: UInt8 in [0x00, 0x22, 0x26, 0x27, 0x2F, 0x3C, 0x3D, 0x3E, 0xFF] {
        var changed = bytes
        changed[index] = byte
        if error(changed) != nil { refused += 1 }
      }
    }
    #expect(refused > bytes.count)
  }
}
