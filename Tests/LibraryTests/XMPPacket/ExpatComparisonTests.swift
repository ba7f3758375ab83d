import Fixtures
import Testing
import XMPPacket

/// What ``PlainParser`` reads is compared with what expat reads.
@Suite struct `Packets that expat reads as well` {
  /// The parts of a packet that both parsers read, and those that only expat reads.
  private struct Count {
    var plain = 0
    var other = 0
  }

  /// Reads every part of a packet with both parsers.
  private func compare(_ packet: [UInt8], _ count: inout Count) throws {
    var position = 0
    while position < packet.count {
      let expected = try XMLPart.parsed(packet, from: position)
      if let plain = PlainParser.read(packet, from: position) {
        count.plain += 1
        if plain != expected {
          Issue.record(
            "other events from \(position) on: \(String(decoding: packet, as: UTF8.self))"
          )
        }
      } else {
        count.other += 1
      }
      guard case .root(let end) = expected.ending else { return }
      position = end
    }
  }

  private func fixtures() throws -> [[UInt8]] {
    var packets: Set<[UInt8]> = []
    for fixture in Fixture.all { packets.formUnion(Fixtures.packets(in: try fixture.bytes())) }
    return packets.sorted { $0.lexicographicallyPrecedes($1) }
  }

  @Test func `the events of fixtures are those of expat`() throws {
    var count = Count()
    for packet in try fixtures() { try compare(packet, &count) }
    #expect(count.plain > 80 && count.plain > 4 * count.other, "\(count)")
  }

  @Test(arguments: [
    "<a/>", "<a></a>", "<a b='' c = \"1\"\n>\n <d> ü\t</d ></a>x", "<?xpacket ?><a/>",
    "<?xpacket begin='' end?>\n<?xpacket end='w'?><a/>", "<?xpacket end??>", "<_A.1-b/>",
    "<p:a xmlns:p='u' xmlns:q='v' p:b='>' q:b='\"' b='' xml:lang='en'><q:c xmlns:q='u'/><q:c/></p:a>",
    "<a>&lt;&gt;&amp;&quot;&apos;</a>", "<a>x&amp;lt;y</a>", "<a b='&quot;&#39;&lt;'/>",
    "<a>&#54;&#x41;&#x1F600;&#xe9;&#9;&#10;&#13;&#x10FFFF;&#00000065;</a>",
    "<a b=' 1\n2\t3\r\n4\r5\r\r\n6&#10;&#13; '/>", "<a>1\n2\t3\r\n4\r5\r\r\n6</a>",
    "<a><!-- < & > ü \r\n - --></a>", "<a>1<!---->2<!-- -->3</a>", "<a>1<b>2<!-- -->3</b>&#52;</a>",
    "<a\r\nb='1'\r/>", "\r\n<a/>",
  ])
  func `plain notation has the events of expat`(document: String) throws {
    var count = Count()
    try compare(Array(document.utf8), &count)
    #expect(count.plain > 0)
  }

  @Test func `the events of damaged packets are those of expat`() throws {
    var generator = SeededGenerator(seed: 1)
    var count = Count()
    for packet in try fixtures().filter({ $0.count < 8000 }) {
      for _ in 0..<100 {
        var packet = packet
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
          packet = mutated(packet, using: &generator)
        }
        try compare(packet, &count)
      }
    }
    #expect(count.plain > 1000 && count.other > 1000, "\(count)")
  }

  /// Returns the packet with other bytes at one place: changed, removed, repeated, or with what XML gives a meaning.
  private func mutated(_ packet: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    guard !packet.isEmpty else { return packet }
    var result = packet
    let place = Int.random(in: packet.indices, using: &generator)
    let part = place..<min(packet.count, place + Int.random(in: 1...40, using: &generator))
    let token = Array((Self.tokens.randomElement(using: &generator) ?? "").utf8)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: result[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: result[place] ^= UInt8(1) << Int.random(in: 0..<8, using: &generator)
    case 2: result.removeSubrange(part)
    case 3: result.insert(contentsOf: packet[part], at: place)
    case 4: result.insert(contentsOf: token, at: place)
    default: result.replaceSubrange(part, with: token)
    }
    return result
  }

  private static let tokens = [
    "<", ">", "/", "/>", "</", "\"", "'", "=", " ", "&", "&lt;", "<!--", "]]>", "\r", "\t", "\n",
    "\r\n", "&#10;", "&#x41;", "&#xFFFE;", "&#13;", "&amp;quot;", "&#x1F600;", ";", "#", "-->",
    "--",
    "<!-- a -->", "<![CDATA[x]]>", "\0", "\u{FEFF}",
    "ü", "\u{FFFE}", "\u{7F}", "<?xpacket end='w'?>", "<?xpacket ?>", "<x/>", "<x></x>", "xml",
    "xmlns:", "rdf:", ":",
    "-", ".", "0", "_", "?>", " b='c'", " a:b=\"c\"", " xmlns:a=\"b\"", " xmlns:a=\"\"",
    " xmlns=\"u\"",
    " xmlns:rdf='q'", " xml:lang='a'",
  ]
}
