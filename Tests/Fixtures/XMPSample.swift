/// Namespace declarations for hand-written packets.
private let declarations = """
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
  xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
  xmlns:exif="http://ns.adobe.com/exif/1.0/" \
  xmlns:dc="http://purl.org/dc/elements/1.1/" \
  xmlns:C="http://ns.google.com/photos/1.0/container/" \
  xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
  """

/// An `rdf:RDF` element around `content`.
package func rdf(_ content: String) -> String {
  "<rdf:RDF \(declarations)>\(content)</rdf:RDF>"
}

/// A packet with its wrapper and as much padding as given.
package func wrapped(_ content: String, padding: String = "\n    \n", end: String = "w") -> String {
  """
  <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>\
  <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="hand">\(rdf(content))</x:xmpmeta>\
  \(padding)<?xpacket end="\(end)"?>
  """
}

/// The packets of all images in a JPEG file, in file order.
package func packets(in file: [UInt8]) -> [[UInt8]] {
  let header = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  var packets: [[UInt8]] = []
  var position = 0
  while position + 4 + header.count < file.count {
    let start = position + 4
    if file[position] == 0xFF, file[position + 1] == 0xE1,
      file[start..<start + header.count].elementsEqual(header)
    {
      let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
      let end = position + 2 + length
      if end <= file.count, start + header.count <= end {
        packets.append(Array(file[(start + header.count)..<end]))
      }
    }
    position += 1
  }
  return packets
}
