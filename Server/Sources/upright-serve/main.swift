import HEIFDecoder

// The decoder of a HEIF photo is a second process of this program.
if !IsolatedHEIFConverter.decodeIfStarted() { Program.run() }
