import Upright

/// Undo records: the input is the number of a rewritten file and a record; an empty record means the file's own.
private let rewrites: [(original: [UInt8], rewrite: Rewrite)] = {
  let names = [
    "orientation/aligned-6.jpg", "orientation/unaligned-6.jpg", "coding/progressive.jpg",
    "coding/restart-rows.jpg", "thumbnail/rgb.jpg", "multi-picture/apple.jpg",
    "exif/thumbnail-aligned.jpg", "sampling/411-tag-5.jpg",
  ]
  return names.compactMap { name in
    let file = fixture(name)
    guard case .rewritten(let rewrite)? = try? Rewriter().rewrite(file) else { return nil }
    return (file, rewrite)
  }
}()

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>?,
  _ count: Int,
  _ limit: Int,
  _ seed: CUnsignedInt
) -> Int {
  guard let data, limit > 0 else { return 0 }
  if count < 2, let undo = rewrites[Int(seed) % rewrites.count].rewrite.undo {
    let record = undo.serialized
    guard record.count + 1 <= limit else { return count }
    data[0] = UInt8(Int(seed) % rewrites.count)
    for (index, byte) in record.enumerated() { data[index + 1] = byte }
    return record.count + 1
  }
  return LLVMFuzzerMutate(data, count, limit)
}

@_silgen_name("LLVMFuzzerMutate")
private func LLVMFuzzerMutate(_: UnsafeMutablePointer<UInt8>, _: Int, _: Int) -> Int

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  guard let number = bytes.first else { return 0 }
  guard let record = try? UndoRecord(serialized: Array(bytes.dropFirst())) else { return 0 }
  let (_, rewrite) = rewrites[Int(number) % rewrites.count]
  _ = try? record.restoreOriginal(from: rewrite.bytes)
  guard let again = try? UndoRecord(serialized: record.serialized) else {
    fatalError("a record cannot be read again")
  }
  precondition(again == record, "a record is another when it is read again")
  return 0
}
