import ISOBMFF

/// The boxes and items of a HEIF file, and the check before decoding.
///
/// The first bytes of an input are changes of the fields that the check depends on; the others are the file. So the
/// corpus keeps files whose structure is whole except for these fields.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  guard let changes = bytes.first.map({ 1 + 4 * Int($0 & 7) }), changes <= count else { return 0 }
  var file = Array(bytes[changes...])
  check(file)
  let places = fields(of: file)
  guard !places.isEmpty else { return 0 }
  for change in stride(from: 1, to: changes, by: 4) {
    let place = places[(Int(bytes[change]) << 8 | Int(bytes[change + 1])) % places.count]
    file[place] = bytes[change + 2]
    if bytes[change + 3] < 128, place + 1 < file.count { file[place + 1] = bytes[change + 3] }
  }
  check(file)
  return 0
}

/// The places of the fields of grids, overlays, sizes, crops, references, properties and locations.
private func fields(of file: [UInt8]) -> [Int] {
  let types = [
    "ispe", "clap", "irot", "ipma", "iloc", "iref", "pitm", "dimg", "infe", "idat", "mdat",
  ]
  return types.flatMap { type in
    var places: [Int] = []
    let name = Array(type.utf8)
    for place in file.indices.dropLast(4) where file[place..<place + 4].elementsEqual(name) {
      places += place + 4..<min(place + 64, file.count)
    }
    return places
  }
}

private func check(_ file: [UInt8]) {
  _ = MediaFile.isHEIF(file.span)
  guard let media = try? MediaFile(file.span) else { return }
  var position = 0
  for box in media.boxes {
    precondition(box.range.lowerBound == position && box.content.upperBound <= file.count)
    position = box.range.upperBound
  }
  precondition(media.trailer == position..<file.count)
  precondition((try? media.decoderInput(file))?.count ?? file.count == file.count)
  let directory = media.directory
  for item in directory.items.values {
    guard let content = try? directory.content(of: item, file.span) else { continue }
    precondition(content.count <= file.count)
  }
  guard let form = try? DecodingCheck(maxPixels: 1 << 22).primaryImage(of: media, file.span) else {
    return
  }
  precondition(form.codedPixels <= 1 << 22 && form.storedWidth * form.storedHeight <= 1 << 22)
  precondition(form.transforms.width > 0 && form.transforms.height > 0)
}
