/// Why a file is skipped, thrown where this is found.
struct Refusal: Error {
  let reason: Reason

  init(_ reason: Reason) { self.reason = reason }
}
