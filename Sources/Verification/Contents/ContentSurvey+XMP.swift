internal import Upright
internal import XMPPacket

/// The namespaces of XMP packets.
extension ContentSurvey {
  /// Surveys a packet; `name` is for people.
  mutating func surveyXMP(
    _ name: String,
    _ container: ContainerBytes,
    _ range: Range<Int>,
    depth: Int = 0
  ) {
    guard let block = part(of: container, range, depth) else { return }
    guard block.bytes.contains(where: { $0 != 0 && $0 != 0x20 }) else { return }
    let packet: XMPPacket
    do throws(XMPError) { packet = try XMPPacket(block.bytes) } catch {
      return addProblem(name, "\(error)", at: block.offset(of: 0))
    }
    for property in packet.properties {
      let place = block.offset(of: min(property.valueRange.lowerBound, block.bytes.count))
      if property.namespace == XMPNamespace.note, property.name == "HasExtendedXMP" {
        references.append((Array(property.value.utf8), place))
      }
      // Of nested names that are not known, the outermost one is listed.
      let names =
        property.path.map { ($0.namespace, $0.name) } + [(property.namespace, property.name)]
      let unknown = names.first { namespace, name in
        !KnownNamespaces.contains(name, in: namespace)
          && !RegisteredDataSearch.looks(for: name, in: namespace)
      }
      guard let (namespace, own) = unknown else { continue }
      if KnownNamespaces.isMakerNote(own, in: namespace) {
        add(.makerNote, "Google (\(own))", at: place)
      } else {
        add(.namespace, namespace, at: place, detail: own)
      }
    }
  }
}
