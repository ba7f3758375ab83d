/// XMP packets and world files for tests.
package enum Sidecars {
  /// Returns a packet with an Orientation and dimensions.
  package static func packet(
    _ orientation: Int?,
    width: Int? = nil,
    height: Int? = nil
  ) -> [UInt8] {
    let values = [("Orientation", orientation), ("ImageWidth", width), ("ImageLength", height)]
    let attributes = values.compactMap { name, value in value.map { " tiff:\(name)=\"\($0)\"" } }
    return Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"\(attributes.joined())/>\
      </rdf:RDF></x:xmpmeta>
      """.utf8
    )
  }

  /// A world file.
  package static let worldFile = Array("0.25\n0.125\n-0.0625\n-0.5\n412345.125\n5812345.875\n".utf8)

  /// Returns the Orientation in a packet.
  package static func orientation(_ packet: [UInt8]) -> String? {
    String(decoding: packet, as: UTF8.self).firstMatch(of: /Orientation="([^"]*)"/)
      .map { String($0.output.1) }
  }
}
