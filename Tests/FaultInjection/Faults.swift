package import SystemPackage

/// The outcome of a system call that does not run normally.
package enum CallOutcome: Sendable {
  /// It fails without being made.
  case failure(Errno)
  /// It is made and succeeds, but reports an error, as if its answer was lost.
  case lostAnswer(Errno)
}

/// The outcome of the system calls of a task, by name; nil for those that run normally.
private struct Faults: Sendable {
  let outcome: @Sendable (_ call: String) -> CallOutcome?

  @TaskLocal static var injected: Faults?
}

/// Takes the place of the function of this name in `CFileSystem/shim.h`.
@c(injected_error)
public func injectedError(_ call: UnsafePointer<UInt8>) -> CInt {
  switch unsafe Faults.injected?.outcome(String(cString: call)) {
  case .failure(let error): error.rawValue
  case .lostAnswer(let error): -error.rawValue
  case nil: 0
  }
}

/// Runs `body` while each system call is shown to `probe`, which can make it fail.
package func probing<Value>(
  _ probe: @escaping @Sendable (_ call: String) -> Errno?,
  _ body: () throws -> Value
) rethrows -> Value {
  try probing(outcome: { probe($0).map(CallOutcome.failure) }, body)
}

/// Runs `body` while each system call is shown to `probe`, which says what becomes of it.
package func probing<Value>(
  outcome: @escaping @Sendable (_ call: String) -> CallOutcome?,
  _ body: () throws -> Value
) rethrows -> Value {
  try Faults.$injected.withValue(Faults(outcome: outcome), operation: body)
}

/// Runs `body` while the system call with this number fails.
///
/// - Parameters:
///   - number: The call, from 0.
///   - error: The error that it reports.
///   - losesAnswer: Whether the call is made nevertheless.
///   - body: What makes system calls.
/// - Returns: Whether there was such a call.
package func failing(
  call number: Int,
  with error: Errno,
  losesAnswer: Bool = false,
  _ body: () -> Void
) -> Bool {
  let calls = CallCounter()
  probing(
    outcome: { _ in
      guard calls.next() == number else { return nil }
      return losesAnswer ? .lostAnswer(error) : .failure(error)
    },
    body
  )
  return calls.value > number
}

/// Runs `body` while all system calls of this name fail.
package func failing<Value>(
  _ name: String,
  with error: Errno,
  _ body: () throws -> Value
) rethrows -> Value {
  try probing({ $0 == name ? error : nil }, body)
}
