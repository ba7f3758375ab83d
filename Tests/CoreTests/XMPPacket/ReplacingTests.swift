import FileBytes
import Fixtures
import Testing
import XMPPacket

@Suite struct `Replacing values` {
  /// The edits of a packet, and the edited packet.
  struct Rewrite {
    var edits: [Edit]
    var bytes: [UInt8]

    var keepsLength: Bool { edits.totalShift == 0 }

    /// Changes a packet; the result reads the same otherwise.
    init(_ values: [(property: XMPProperty, value: String)], in packet: XMPPacket) throws {
      edits = packet.edits(values.map { XMPValue($0.property, $0.value, field: $0.property.name) })
      bytes = edits.applied(to: packet.bytes)
      let again = try XMPPacket(bytes)
      #expect(again.properties.map(\.path) == packet.properties.map(\.path))
      #expect(again.properties.map(\.name) == packet.properties.map(\.name))
    }
  }

  private func replace(
    _ name: String,
    by value: String,
    in packet: XMPPacket
  ) throws -> Rewrite {
    let property = try #require(packet.properties.first { $0.name == name })
    return try Rewrite([(property, value)], in: packet)
  }

  @Test(.enabled(if: XMLPart.hasExpat, "the notation needs expat"))
  func `no edit and an edit to the same value change nothing`() throws {
    let packet = try packet(wrapped("<rdf:Description dc:a='&#54;'/>") + "\0\0")
    for rewrite in [try Rewrite([], in: packet), try replace("a", by: "6", in: packet)] {
      #expect(rewrite.bytes == packet.bytes)
      #expect(rewrite.edits == [])
    }
  }

  @Test(arguments: [
    "<rdf:Description dc:a='6'/>", "<rdf:Description><dc:a>\n6 </dc:a></rdf:Description>",
  ])
  func `a value of the same length is the only edit`(content: String) throws {
    let packet = try packet(wrapped(content))
    let rewrite = try replace("a", by: "1", in: packet)
    let range = packet.properties[0].valueRange
    #expect(rewrite.edits == [Edit(range, with: [0x31], field: .init("a", old: "6", new: "1"))])
  }

  @Test func `the edit of an empty value and a removal have their fields`() throws {
    let packet = try packet(wrapped("<rdf:Description dc:a='' dc:b='1'/>", padding: "  "))
    let range = try #require(packet.attributeRange(of: packet.properties[1]))
    let edits = packet.edits(
      [XMPValue(packet.properties[0], "6", field: "a")],
      removing: [(range, "b")]
    )
    #expect(edits.map(\.field.identifier) == ["a", "b", "xmp.padding"])
    #expect(edits.map(\.field.new) == ["6", "removed", ""])
    #expect(edits.totalShift == 0)
  }

  @Test(.enabled(if: XMLPart.hasExpat, "the notation needs expat"), arguments: ["w", "r"])
  func `padding before the packet's end shrinks and grows`(end: String) throws {
    let text = wrapped("<rdf:Description dc:a='640'/>", padding: "\n     \n", end: end) + "\0"
    let packet = try packet(text)
    func expected(_ value: String, _ padding: String) -> [UInt8] {
      let content = "<rdf:Description dc:a='\(value)'/>"
      return Array((wrapped(content, padding: padding, end: end) + "\0").utf8)
    }
    let longer = try replace("a", by: "64000", in: packet)
    #expect(longer.keepsLength)
    #expect(longer.bytes == expected("64000", "\n   \n"))
    #expect(
      longer.edits.map { Array(packet.bytes[$0.range]) } == [Array("640".utf8), [0x20, 0x20]]
    )
    let shorter = try replace("a", by: "", in: packet)
    #expect(shorter.keepsLength)
    #expect(shorter.bytes == expected("", "\n        \n"))
    let most = try replace("a", by: "6400000000", in: packet)
    #expect(most.keepsLength)
    #expect(most.bytes == expected("6400000000", ""))
    let tooLong = try replace("a", by: "64000000000", in: packet)
    #expect(!tooLong.keepsLength)
    #expect(tooLong.bytes == expected("64000000000", ""))
  }

  @Test func `without any padding the packet grows, and shrinks by white space`() throws {
    let packet = try packet(rdf("<rdf:Description dc:a='10'/>") + "\0\0")
    let longer = try replace("a", by: "100", in: packet)
    #expect(!longer.keepsLength)
    #expect(longer.edits.count == 1)
    #expect(longer.bytes == Array((rdf("<rdf:Description dc:a='100'/>") + "\0\0").utf8))
    let shorter = try replace("a", by: "1", in: packet)
    #expect(shorter.keepsLength)
    #expect(shorter.bytes == Array((rdf("<rdf:Description dc:a='1'/>") + " \0\0").utf8))
  }

  @Test func `each packet uses its own padding`() throws {
    let one = "<rdf:Description dc:a='10'/>"
    let two = "<rdf:Description dc:b='10'/>"
    let packet = try packet(wrapped(one, padding: "  ") + wrapped(two, padding: "  "))
    let rewrite = try Rewrite(
      [(packet.properties[1], "1"), (packet.properties[0], "100")],
      in: packet
    )
    let expected =
      wrapped("<rdf:Description dc:a='100'/>", padding: " ")
      + wrapped("<rdf:Description dc:b='1'/>", padding: "   ")
    #expect(rewrite.bytes == Array(expected.utf8))
    #expect(rewrite.edits == rewrite.edits.inOrder)
  }

  @Test func `changes of length that cancel out do not change the padding`() throws {
    let packet = try packet(wrapped("<rdf:Description dc:a='10' dc:b='1'/>"))
    let rewrite = try Rewrite(
      [(packet.properties[0], "2"), (packet.properties[1], "20")],
      in: packet
    )
    #expect(rewrite.edits.count == 2)
    #expect(rewrite.keepsLength)
  }

  @Test func `the last of two values for one property counts`() throws {
    let packet = try packet(wrapped("<rdf:Description dc:a='1'/>"))
    let property = packet.properties[0]
    #expect(try Rewrite([(property, "2"), (property, "1")], in: packet).edits == [])
    let rewrite = try Rewrite([(property, "2"), (property, "3")], in: packet)
    #expect(try XMPPacket(rewrite.bytes).properties.map(\.value) == ["3"])
  }

  @Test(.enabled(if: XMLPart.hasExpat, "the notation needs expat"))
  func `values are escaped so that they read back`() throws {
    let value = "a<b>&amp;\"'\r\n\t]]>ü😀"
    for content in [
      "<rdf:Description dc:a='1'/>", "<rdf:Description dc:a=\"1\"/>",
      "<rdf:Description><dc:a><![CDATA[1]]></dc:a></rdf:Description>",
    ] {
      let packet = try packet(wrapped(content))
      let rewrite = try replace("a", by: value, in: packet)
      #expect(try XMPPacket(rewrite.bytes).properties[0].value == value)
    }
    let packet = try packet(wrapped("<rdf:Description dc:a='1'/>"))
    let rewrite = try replace("a", by: "\0\u{1B}\u{FFFE}", in: packet)
    #expect(try XMPPacket(rewrite.bytes).properties[0].value == "\u{FFFD}\u{FFFD}\u{FFFD}")
  }
}
