import Testing
import XMPPacket

/// What ``PlainParser`` does not read: expat reads it, or refuses it by name.
@Suite struct `Packets that are not plain` {
  @Test(arguments: [
    "<a>&</a>", "<a>&lt</a>", "<a>&LT;</a>", "<a>&x;</a>", "<a>&#;</a>", "<a>&#x;</a>",
    "<a>&#65</a>", "<a>&#X41;</a>", "<a>&#x4G;</a>", "<a>&#4A;</a>", "<a>& #65;</a>", "<a>&#0;</a>",
    "<a>&#31;</a>", "<a>&#xD800;</a>", "<a>&#xFFFE;</a>", "<a>&#x110000;</a>",
    "<a>&#99999999999999999999;</a>", "<a b='&'/>", "<a b='&#0;'/>", "<a b='&lt'/>",
    "<a><!-- -- --></a>", "<a><!-- ---></a>", "<a><!--></a>", "<a><!- --></a>", "<a><!-- </a>",
    "<a><!-- \u{1} --></a>", "<a><!-- \u{FFFF} --></a>", "<!-- --><a/>", "&#65;<a/>",
    "<a xmlns:p='&#117;'/>", "<a xmlns:p='u\r\n'/>", "<a><![CDATA[]]></a>", "<a>]]></a>",
    "<a>]]&#93;></a>",
    "<!DOCTYPE a><a/>", "<?xml version='1.0'?><a/>",
    "<a xmlns='u'/>", "<p:a/>", "<a p:b=''/>", "<a xmlns:p=''/>", "<a b='' b=''/>",
    "<p:a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "<a xmlns:p='u' xmlns:p='v'/>",
    "<a xmlns:xml='u'/>", "<a xmlns:xmlns='u'/>", "<xmlns:a/>",
    "<a xmlns:p='http://www.w3.org/2000/xmlns/'/>",
    "<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
    "<a><b></a></b>", "<a", "<a>", "<a b>", "<a b=>", "<a b='", "<a b='<'/>", "<a b=''c=''/>",
    "<a / >",
    "<ä/>", "<1/>", "<a:/>", "<:a/>", "<a:b:c xmlns:a='u'/>", "<a>\u{1}</a>", "<a>\u{FFFF}</a>",
    "x<a/>",
    "</a>", "<a></b>", "<a></ a>", "<?xpacket", "<?xpacket x", "<?x ?><a/>", "<?xpacket\n?><a/>",
  ])
  func `what is not plain is left to expat`(document: String) {
    #expect(PlainParser.read(Array(document.utf8), from: 0) == nil)
  }

  @Test func `invalid UTF-8 is left to expat`() {
    for bytes: [UInt8] in [
      [0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ] {
      for document in [["<a>", "</a>"], ["<a b='", "'/>"], ["<?xpacket ", "?><a/>"]] {
        let packet = Array(document[0].utf8) + bytes + Array(document[1].utf8)
        #expect(PlainParser.read(packet, from: 0) == nil)
      }
    }
  }

  @Test func `elements that are nested too deeply are left to expat`() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
    }
    #expect(PlainParser.read(nested(XMPPacket.maximumDepth), from: 0) != nil)
    #expect(PlainParser.read(nested(XMPPacket.maximumDepth + 1), from: 0) == nil)
  }

  @Test func `many attributes and declarations are left to expat`() {
    for form in [" a", " xmlns:a"] {
      let names = (0..<400).map { "\(form)\($0)='u'" }
      #expect(PlainParser.read(Array("<x\(names[..<99].joined())/>".utf8), from: 0) != nil)
      #expect(PlainParser.read(Array("<x\(names.joined())/>".utf8), from: 0) == nil)
    }
  }
}
