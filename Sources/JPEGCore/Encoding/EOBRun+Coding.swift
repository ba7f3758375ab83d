extension EOBRun {
  /// Codes EOBn and its additional bits, if there is a run, and ends the run.
  @inline(__always)
  mutating func put<Register: EntropyRegister>(table: Int, into register: inout Register) {
    guard length > 0 else { return }
    let size = category(length) &- 1
    register.put(
      symbol: size &<< 4,
      table: table,
      bits: UInt32(truncatingIfNeeded: length),
      count: size
    )
    end()
  }
}
