package import SystemPackage

/// A program that belongs to this one.
package enum OtherProgram {
  /// Replaces this program by another one, with the arguments that follow the first.
  ///
  /// The program is in the folder of this one, or else in one of `PATH`.
  ///
  /// - Throws: The system's error if there is no such program, or it cannot be started.
  package static func become(_ name: String) throws(Errno) -> Never {
    throw Syscalls.become(name)
  }
}
