import FileBytes
import JPEGCore
import Testing

struct ExtendedXMPTests {
  @Test func `Tens of thousands of packets are listed in the order of their first segments`() {
    let identifier = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    let count: UInt32 = 60_000
    var (bytes, segments): ([UInt8], [Segment]) = ([], [])
    // Each packet has one segment, and the last one a second.
    for number in 0...count {
      let digest = [UInt8](repeating: 0x30, count: 28) + min(number, count - 1).bytes(.big)
      let payload = identifier + digest + [UInt8](repeating: 0, count: 9)
      let start = bytes.count
      bytes += [0xFF, 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
      segments.append(
        Segment(
          marker: .app(1),
          range: start..<bytes.count,
          payload: start + 4..<bytes.count
        )
      )
    }
    let started = ContinuousClock.now
    let packets = ExtendedXMP.list(segments, bytes.span)
    #expect(ContinuousClock.now - started < .seconds(5))
    #expect(packets.count == Int(count))
    let isInOrder = zip(packets, 0..<count).allSatisfy {
      $0.digest.suffix(4) == $1.bytes(.big)[...]
    }
    #expect(isInOrder)
    #expect(packets.first?.parts.count == 1)
    #expect(packets.last?.parts == segments.suffix(2).map { $0.payload.dropFirst(75) })
    // A segment with all digests, whose bytes are not at multiples of their length.
    let start = bytes.count + 1
    bytes += [0x31] + packets.flatMap(\.digest)
    let whole = Segment(
      marker: .app(1),
      range: start - 1..<bytes.count,
      payload: start - 1..<bytes.count
    )
    let references = ExtendedXMP.References(to: packets).find(in: whole, bytes.span)
    #expect(references.map(\.packet) == Array(packets.indices))
    #expect(references.map(\.place.lowerBound) == packets.indices.map { start + 32 * $0 })
    #expect(ContinuousClock.now - started < .seconds(20))
  }
}
