import FileBytes
import Upright
import XMPPacket

/// The XMP editor: the input is a packet, as a sidecar and before an image.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  if let packet = try? XMPPacket(bytes) {
    let values = packet.properties.map { XMPValue($0, "\($0.value.utf8.count)", field: $0.name) }
    let edits = packet.edits(values)
    for property in packet.properties {
      precondition(property.valueRange.upperBound <= count)
    }
    do throws(XMPError) {
      let again = try XMPPacket(edits.applied(to: packet.bytes))
      precondition(
        again.properties.map(\.name) == packet.properties.map(\.name),
        "an edit changed the properties"
      )
    } catch {
      // Longer white space in what only looks like a declaration may reach a limit.
      guard case .limitExceeded = error else { fatalError("an edit broke the packet: \(error)") }
    }
    _ = try? Sidecar(bytes)
  }
  let header = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  check([0xFF, 0xD8] + segment(0xE1, header + bytes) + plainImage, options(count))
  return 0
}
