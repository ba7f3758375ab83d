import Fixtures
import Testing
import XMPPacket

@Suite struct `Reading a packet` {
  @Test(arguments: [
    ##"<rdf:Description rdf:about="" tiff:Orientation="6"/>"##,
    ##"<rdf:Description tiff:Orientation='6' rdf:about=''></rdf:Description>"##,
    ##"<rdf:Description q:Orientation = "6" xmlns:q = "http://ns.adobe.com/tiff/1.0/"/>"##,
    ##"<rdf:Description><tiff:Orientation>6</tiff:Orientation></rdf:Description>"##,
    "<rdf:Description><tiff:Orientation>\r\n\t6\r\n </tiff:Orientation></rdf:Description>",
    ##"<rdf:Description><tiff:Orientation xml:lang="en">6</tiff:Orientation></rdf:Description>"##,
    ##"<rdf:Description><tiff:Orientation rdf:value="6"/></rdf:Description>"##,
    ##"<rdf:Description><tiff:Orientation rdf:parseType="Resource"><rdf:value>6</rdf:value></tiff:Orientation></rdf:Description>"##,
    "<rdf:Description><tiff:Orientation><rdf:Description><rdf:value>6</rdf:value></rdf:Description></tiff:Orientation></rdf:Description>",
    "<rdf:Description dc:a='>=\"'/><rdf:Description dc:b='/' tiff:Orientation=\"6\"/>",
  ])
  func `orientation is found in every syntax`(content: String) throws {
    try checkOrientation(content)
  }

  @Test(.enabled(if: XMLPart.hasExpat, "the notation needs expat"))
  func `orientation is found in a default namespace`() throws {
    try checkOrientation(
      """
      <rdf:Description xmlns='http://ns.adobe.com/tiff/1.0/'><Orientation>6</Orientation></rdf:Description>
      """
    )
  }

  private func checkOrientation(_ content: String) throws {
    for text in [rdf(content), wrapped(content), wrapped(content, padding: "")] {
      let packet = try packet(text)
      let found = packet.properties(XMPNamespace.tiff, "Orientation")
      try #require(found.count == 1)
      #expect(found[0].value == "6")
      #expect(packet.raw(found[0].valueRange) == "6")
      #expect(found[0].path.isEmpty)
    }
  }

  @Test func `structure becomes paths that do not depend on the syntax`() throws {
    let attributes = """
      <rdf:Description><C:Directory><rdf:Seq>\
      <rdf:li rdf:parseType="Resource"><C:Item Item:Mime="image/jpeg" Item:Length="1"/></rdf:li>\
      <rdf:li rdf:parseType="Resource"><C:Item Item:Length="23"/></rdf:li>\
      </rdf:Seq></C:Directory></rdf:Description>
      """
    let elements = """
      <rdf:Description>
       <C:Directory> <rdf:Seq>
        <rdf:li><rdf:Description><C:Item rdf:parseType="Resource">
         <Item:Mime>image/jpeg</Item:Mime> <Item:Length>1</Item:Length>
        </C:Item></rdf:Description></rdf:li>
        <rdf:li><rdf:Description> <C:Item><rdf:Description Item:Length="23"/></C:Item>
        </rdf:Description></rdf:li>
       </rdf:Seq> </C:Directory>
      </rdf:Description>
      """
    let expected = [
      "Directory/[0]/Item/Mime=image/jpeg", "Directory/[0]/Item/Length=1",
      "Directory/[1]/Item/Length=23",
    ]
    #expect(try packet(wrapped(attributes)).summaries == expected)
    #expect(try packet(wrapped(elements)).summaries == expected)
  }

  @Test func `array items are leaves with an index in their own array`() throws {
    let content = """
      <rdf:Description><exif:ISOSpeedRatings><rdf:Seq><rdf:li>100</rdf:li><rdf:li> 200 </rdf:li>\
      </rdf:Seq></exif:ISOSpeedRatings><dc:title><rdf:Alt><rdf:li xml:lang="x-default">a &amp; b\
      </rdf:li></rdf:Alt></dc:title></rdf:Description>
      """
    let packet = try packet(wrapped(content))
    #expect(
      packet.summaries == [
        "ISOSpeedRatings/[0]=100", "ISOSpeedRatings/[1]=200", "title/[0]=a & b",
      ]
    )
    #expect(packet.raw(packet.properties[2].valueRange) == "a &amp; b")
    #expect(packet.properties.allSatisfy { $0.name == "li" && $0.form == .element })
  }

  @Test func `references are resolved in the value and raw in the range`() throws {
    let packet = try packet(
      rdf("<rdf:Description dc:a='&#54;&lt;ü'><dc:b>&#x36;</dc:b></rdf:Description>")
    )
    #expect(packet.summaries == ["a=6<ü", "b=6"])
    #expect(packet.properties.map { packet.raw($0.valueRange) } == ["&#54;&lt;ü", "&#x36;"])
    #expect(packet.properties.map(\.form) == [.attribute, .element])
  }

  @Test(.enabled(if: XMLPart.hasExpat, "the notation needs expat"))
  func `comments and CDATA are part of the raw text`() throws {
    let packet = try packet(
      rdf("<rdf:Description><dc:a> <!-- six --><![CDATA[6]]> </dc:a></rdf:Description>")
    )
    #expect(packet.summaries == ["a=6"])
    #expect(packet.raw(packet.properties[0].valueRange) == "<!-- six --><![CDATA[6]]>")
  }

  @Test func `elements of RDF's syntax and outside of RDF are not properties`() throws {
    let content = """
      <rdf:Description rdf:about="x" rdf:ID="y" xml:lang="en" about="old" xmlns:z="urn:z">\
      <dc:empty/><dc:s rdf:parseType="Resource"> </dc:s><dc:bag><rdf:Bag></rdf:Bag></dc:bag>\
      </rdf:Description>
      """
    #expect(try packet(wrapped(content)).summaries == [])
  }

  @Test func `empty values and links to resources are properties`() throws {
    let content = """
      <rdf:Description dc:a=""><dc:b></dc:b><dc:c rdf:resource="urn:c"/></rdf:Description>
      """
    #expect(try packet(wrapped(content)).summaries == ["a=", "b=", "c=urn:c"])
  }

  @Test(.enabled(if: XMLPart.hasExpat, "the notation needs expat"))
  func `several descriptions, several RDF elements and several packets are read`() throws {
    let one = "<rdf:Description dc:a='1'/><rdf:Description dc:b='2'/>"
    let text = "<m>" + rdf(one) + rdf("<rdf:Description dc:c='3'/>") + "</m>"
    #expect(try packet(text).summaries == ["a=1", "b=2", "c=3"])
    let two = wrapped(one) + "\0\0\n\u{FEFF}" + wrapped("<rdf:Description dc:c='3'/>") + "\0"
    #expect(try packet(two).summaries == ["a=1", "b=2", "c=3"])
    let declared = "<?xml version='1.0' encoding='utf-8'?>"
    let three = declared + wrapped(one) + "\n" + declared + wrapped(one)
    #expect(try packet(three).summaries == ["a=1", "b=2", "a=1", "b=2"])
  }

  @Test(arguments: ["", " \n", "\0\0", "\u{FEFF}", "<x/>", "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"])
  func `a packet without RDF has no properties`(text: String) throws {
    #expect(try packet(text).properties == [])
  }

  @Test(.enabled(if: XMLPart.hasExpat, "the notation needs expat"))
  func `padding, byte order mark and white space around the packet are accepted`() throws {
    let text = wrapped("<rdf:Description dc:a='1'/>")
    for variant in [
      "\u{FEFF}" + text, text + "\0\0\0", "\n " + text + " \n", " <?xml version='1.0'?>" + text,
    ] {
      let packet = try packet(variant)
      try #require(packet.summaries == ["a=1"])
      #expect(packet.raw(packet.properties[0].valueRange) == "1")
    }
  }
}
