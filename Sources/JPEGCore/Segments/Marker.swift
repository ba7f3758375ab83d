internal import FileBytes

/// The second byte of a JPEG marker (T.81, table B.1).
package struct Marker: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let startOfImage = Marker(rawValue: 0xD8)
  package static let endOfImage = Marker(rawValue: 0xD9)
  package static let startOfScan = Marker(rawValue: 0xDA)
  package static let defineQuantizationTables = Marker(rawValue: 0xDB)
  package static let defineHuffmanTables = Marker(rawValue: 0xC4)
  package static let defineNumberOfLines = Marker(rawValue: 0xDC)
  package static let defineRestartInterval = Marker(rawValue: 0xDD)
  package static let comment = Marker(rawValue: 0xFE)

  /// The application marker `APPn`.
  package static func app(_ number: UInt8) -> Marker { Marker(rawValue: 0xE0 + number) }

  /// The n of `APPn`.
  package var applicationNumber: UInt8? {
    (0xE0...0xEF).contains(rawValue) ? rawValue - 0xE0 : nil
  }

  /// Whether the marker starts a frame (SOF0 to SOF15).
  package var startsFrame: Bool {
    (0xC0...0xCF).contains(rawValue) && ![0xC4, 0xC8, 0xCC].contains(rawValue)
  }

  /// Whether the marker starts a frame of sequential Huffman coding (SOF0 and SOF1).
  package var isOfSequentialFrame: Bool { rawValue == 0xC0 || rawValue == 0xC1 }

  /// Whether no length follows: SOI, EOI, RSTn and TEM.
  package var isStandalone: Bool {
    (0xD0...0xD9).contains(rawValue) || rawValue == 0x01
  }

  /// Whether the marker is RSTm, which occurs within entropy-coded data.
  package var isRestart: Bool { (0xD0...0xD7).contains(rawValue) }

  /// Whether the standard reserves the marker (RES); decoders do not know what follows it.
  package var isReserved: Bool { (0x02...0xBF).contains(rawValue) }

  /// Whether the marker carries metadata rather than the image's coding: APPn and COM.
  package var carriesMetadata: Bool { applicationNumber != nil || self == .comment }
}

extension Marker: CustomStringConvertible {
  /// The marker's name in the standard, such as `SOF0` or `APP1`.
  package var description: String {
    if let applicationNumber { return "APP\(applicationNumber)" }
    if startsFrame { return "SOF\(rawValue - 0xC0)" }
    switch rawValue {
    case 0xC4: return "DHT"
    case 0xC8: return "JPG"
    case 0xCC: return "DAC"
    case 0xD0...0xD7: return "RST\(rawValue - 0xD0)"
    case 0xD8: return "SOI"
    case 0xD9: return "EOI"
    case 0xDA: return "SOS"
    case 0xDB: return "DQT"
    case 0xDC: return "DNL"
    case 0xDD: return "DRI"
    case 0xDE: return "DHP"
    case 0xDF: return "EXP"
    case 0xFE: return "COM"
    case 0x01: return "TEM"
    default:
      return "marker 0x" + rawValue.hexadecimal(uppercase: true)
    }
  }
}
