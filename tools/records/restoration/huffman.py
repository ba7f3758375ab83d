"""Huffman tables (T.81, annex C), and the example tables of annex K.3."""


class Table:
    """A Huffman table."""

    def __init__(self, counts, symbols):
        self.codes = {}
        """The code and its length of each symbol; of several, the last one."""
        self.is_prefix_code = True
        """Whether there are not too many codes, and none of only ones."""
        self._all = []
        code = index = 0
        for length, count in enumerate(counts, 1):
            for symbol in symbols[index:index + count]:
                self.codes[symbol] = code, length
                self._all.append((symbol, code, length))
                code += 1
            index += count
            self.is_prefix_code = self.is_prefix_code and code < 1 << length
            code <<= 1
        self._lookup = None

    @property
    def lookup(self):
        """For each 16 bits the symbol that they start with, and 256 times the length of its code; or 0."""
        if self._lookup is None:
            self._lookup = [0] * (1 << 16)
            for symbol, code, length in self._all:
                first, count = code << (16 - length), 1 << (16 - length)
                self._lookup[first:first + count] = [length << 8 | symbol] * count
        return self._lookup

    def forget_lookup(self):
        """Frees the memory of the look-up, of which a file can have thousands."""
        self._lookup = None


def tables(content):
    """The tables of a DHT segment, by class (0 is DC, 1 is AC) and slot."""
    result, at = {}, 0
    while at < len(content):
        counts = content[at + 1:at + 17]
        end = at + 17 + sum(counts)
        if content[at] >> 4 > 1 or content[at] & 15 > 3 or sum(counts) > 256 or end > len(content):
            raise ValueError("a Huffman table does not fit into its segment or slot")
        result[content[at] >> 4, content[at] & 15] = Table(counts, content[at + 17:end])
        at = end
    return result


_DC = bytes(range(12))

_LUMINANCE_AC = bytes.fromhex(
    "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a"
    "3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a929394"
    "95969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8"
    "e9eaf1f2f3f4f5f6f7f8f9fa")
_CHROMINANCE_AC = bytes.fromhex(
    "000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728"
    "292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92"
    "939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7"
    "e8e9eaf2f3f4f5f6f7f8f9fa")

_EXAMPLES = {
    (0, 0): ((0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0), _DC),
    (1, 0): ((0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125), _LUMINANCE_AC),
    (0, 1): ((0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0), _DC),
    (1, 1): ((0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119), _CHROMINANCE_AC),
}

EXAMPLES = {place: Table(*content) for place, content in _EXAMPLES.items()}
"""The tables of annex K.3, which are in force where a file defines none."""

EXAMPLE_SEGMENTS = b"".join(
    b"\xff\xc4" + (19 + len(symbols)).to_bytes(2, "big") + bytes((kind << 4 | slot, *counts)) + symbols
    for (kind, slot), (counts, symbols) in _EXAMPLES.items())
"""A DHT segment for each of them: the preset dictionary of the undo data."""
