// The undo data in a record (docs/record-format.md, section 1).
import { deflateSync, inflateSync } from "node:zlib";

/** The preset dictionary: the four example Huffman tables of T.81, Annex K.3, as DHT segments. */
const dictionary = (() => {
  const ac = (list) => Buffer.from(list.replace(/\s/g, ""), "hex");
  const numbers = Uint8Array.from({ length: 12 }, (_, index) => index);
  const table = (id, counts, symbols) => {
    const body = Buffer.concat([Buffer.from([id]), Buffer.from(counts, "hex"), symbols]);
    return Buffer.concat([Buffer.from([0xFF, 0xC4, 0, body.length + 2]), body]);
  };
  return Buffer.concat([
    table(0x00, "00010501010101010100000000000000", numbers),
    table(0x10, "0002010303020403050504040000017d", ac(`
      0102030004110512213141061351610722711432 8191a1082342b1c11552d1f02433627282090a16 1718191a25262728292a3435363738393a434445
      464748494a535455565758595a63646566676869 6a737475767778797a838485868788898a929394 95969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6
      b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8 d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8 f9fa`)),
    table(0x01, "00030101010101010101010000000000", numbers),
    table(0x11, "00020102040403040705040400010277", ac(`
      0001020311040521310612415107617113223281 08144291a1b1c109233352f0156272d10a162434 e125f11718191a262728292a35363738393a4344
      45464748494a535455565758595a636465666768 696a737475767778797a82838485868788898a92 939495969798999aa2a3a4a5a6a7a8a9aab2b3b4
      b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6 d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8 f9fa`)),
  ]);
})();

/** The undo data as text. */
export function packed(undo) {
  return deflateSync(undo, { level: 9, dictionary }).toString("base64");
}

/** The undo data of a record, which leads from a result of at most `size` bytes; it may not need any memory. */
export function unpacked(text, size) {
  return inflateSync(Buffer.from(text, "base64"), { dictionary, maxOutputLength: (16 << 20) + 2 * size });
}
