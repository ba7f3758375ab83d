#if canImport(CExpat)
import CExpat

/// One run of expat over one XML document; the only code that calls expat.
///
/// A run ends with the root element, because a packet may contain several documents.
@safe struct ExpatSession: ~Copyable {
  private let parser: XML_Parser

  /// Creates a parser that resolves namespaces and reads UTF-8.
  init() throws(XMPError) {
    guard let parser = unsafe XML_ParserCreateNS("UTF-8", XML_Char(truncatingIfNeeded: separator))
    else {
      throw .malformed(offset: 0, message: message(of: XML_ERROR_NO_MEMORY))
    }
    unsafe self.parser = parser
  }

  deinit {
    unsafe XML_ParserFree(parser)
  }

  /// Parses from `start` to the end of the first root element.
  consuming func read(_ bytes: [UInt8], from start: Int) -> XMLPart {
    let context = unsafe ExpatContext(parser: parser, start: start)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(context).toOpaque())
    unsafe setHandlers()
    let status = unsafe bytes[start...].withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser,
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        CInt(buffer.count),
        1
      )
    }
    let ending: XMLPart.Ending
    if let stop = context.stop {
      ending = stop
    } else {
      let code = unsafe XML_GetErrorCode(parser)
      if status == XML_STATUS_OK || (code == XML_ERROR_NO_ELEMENTS && context.depth == 0) {
        ending = .noElement
      } else {
        ending = .malformed(
          offset: context.offset,
          message: message(of: code),
          outsideRoot: context.depth == 0
        )
      }
    }
    return withExtendedLifetime(context) {
      XMLPart(
        events: context.events,
        packetEnds: context.packetEnds,
        nameCount: context.nameCount,
        ending: ending
      )
    }
  }

  @unsafe private func setHandlers() {
    unsafe XML_SetElementHandler(
      parser,
      { unsafe expatContext($0)?.start(name: $1, attributes: $2) },
      { context, _ in unsafe expatContext(context)?.end() }
    )
    unsafe XML_SetCharacterDataHandler(parser) { unsafe expatContext($0)?.text($1, count: Int($2)) }
    unsafe XML_SetProcessingInstructionHandler(parser) {
      unsafe expatContext($0)?.instruction(target: $1, data: $2)
    }
    unsafe XML_SetXmlDeclHandler(parser) { context, _, encoding, _ in
      unsafe expatContext(context)?.declaration(encoding: encoding)
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      unsafe expatContext(context)?.documentType()
    }
  }
}

/// Collects the events of one run.
@safe private final class ExpatContext {
  private let parser: XML_Parser
  private let start: Int
  private var pendingText: [UInt8] = []
  private var namespaces: Set<String> = []
  private(set) var events: [XMLEvent] = []
  private(set) var packetEnds: [Int] = []
  private(set) var depth = 0
  /// The number of elements and attributes so far.
  private(set) var nameCount = 0
  private(set) var stop: XMLPart.Ending?

  @unsafe init(parser: XML_Parser, start: Int) {
    unsafe self.parser = parser
    self.start = start
  }

  /// The offset of the current event in the packet.
  var offset: Int { unsafe start + Int(upright_expat_offset(parser)) }

  private var length: Int { unsafe Int(upright_expat_length(parser)) }

  /// Expat may still report the end of an empty element after this; the handlers ignore it.
  private func stop(_ ending: XMLPart.Ending) {
    stop = ending
    _ = unsafe XML_StopParser(parser, 0)
  }

  @unsafe func start(
    name: UnsafePointer<XML_Char>?,
    attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    guard stop == nil else { return }
    guard depth < XMPPacket.maximumDepth else {
      return stop(.refused(.limitExceeded(.depth, offset: offset)))
    }
    depth += 1
    var list: [XMLAttribute] = []
    if var cursor = unsafe attributes {
      while let name = unsafe cursor[0] {
        unsafe list.append(XMLAttribute(name: shared(name), value: string(cursor[1])))
        unsafe cursor += 2
      }
    }
    nameCount += 1 + list.count
    guard nameCount <= XMPPacket.maximumNameCount else {
      return stop(.refused(.limitExceeded(.names, offset: offset)))
    }
    let own = unsafe shared(name)
    let maximum = XMPPacket.maximumNameLength
    guard own.local.utf8.count <= maximum,
      list.allSatisfy({ $0.name.local.utf8.count <= maximum })
    else {
      return stop(.refused(.limitExceeded(.nameLength, offset: offset)))
    }
    let tag = offset..<offset + length
    events.append(.start(own, attributes: list, tag: tag))
    pendingText.removeAll(keepingCapacity: true)
  }

  /// Returns the name with a shared copy of its namespace, so a long URI is stored once.
  @unsafe private func shared(_ pointer: UnsafePointer<XML_Char>?) -> XMLName {
    var name = unsafe resolved(pointer)
    name.namespace = namespaces.insert(name.namespace).memberAfterInsert
    return name
  }

  func end() {
    guard stop == nil else { return }
    depth -= 1
    events.append(.end(text: String(decoding: pendingText, as: UTF8.self), offset: offset))
    pendingText.removeAll(keepingCapacity: true)
    if depth == 0 { stop(.root(end: offset + length)) }
  }

  @unsafe func text(_ text: UnsafePointer<XML_Char>?, count: Int) {
    let buffer = unsafe UnsafeRawBufferPointer(start: text, count: count)
    unsafe pendingText.append(contentsOf: buffer)
  }

  @unsafe func instruction(target: UnsafePointer<XML_Char>?, data: UnsafePointer<XML_Char>?) {
    guard depth == 0, unsafe string(target) == "xpacket" else { return }
    if unsafe string(data).hasPrefix("end") { packetEnds.append(offset) }
  }

  @unsafe func declaration(encoding: UnsafePointer<XML_Char>?) {
    guard let encoding = unsafe encoding else { return }
    let name = unsafe string(encoding)
    if !["UTF-8", "UTF8", "US-ASCII"].contains(name.uppercased()) {
      stop(.refused(.unsupportedEncoding(offset: offset, name: name)))
    }
  }

  func documentType() {
    stop(.refused(.documentType(offset: offset)))
  }
}

/// The byte with which expat joins namespace and local name; it never occurs in UTF-8.
private let separator: UInt8 = 0xFF

@unsafe private func expatContext(_ pointer: UnsafeMutableRawPointer?) -> ExpatContext? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe Unmanaged<ExpatContext>.fromOpaque(pointer).takeUnretainedValue()
}

@unsafe private func string(_ pointer: UnsafePointer<XML_Char>?) -> String {
  guard let pointer = unsafe pointer else { return "" }
  return unsafe String(cString: pointer)
}

@unsafe private func resolved(_ pointer: UnsafePointer<XML_Char>?) -> XMLName {
  guard let pointer = unsafe pointer else { return XMLName(namespace: "", local: "") }
  var count = 0
  var split: Int?
  while unsafe pointer[count] != 0 {
    if unsafe UInt8(truncatingIfNeeded: pointer[count]) == separator { split = count }
    count += 1
  }
  let name = unsafe UnsafeRawBufferPointer(start: pointer, count: count)
  guard let split else {
    return XMLName(namespace: "", local: unsafe String(decoding: name, as: UTF8.self))
  }
  return XMLName(
    namespace: unsafe String(decoding: name[..<split], as: UTF8.self),
    local: unsafe String(decoding: name[(split + 1)...], as: UTF8.self)
  )
}

private func message(of code: XML_Error) -> String {
  unsafe string(XML_ErrorString(code))
}
#endif
