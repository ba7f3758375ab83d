internal import CFileSystem

/// How the process gets its memory from the system.
package enum ProcessMemory {
  /// Keeps memory that is free again, instead of giving it back to the system, for work that needs much of it
  /// again and again.
  ///
  /// The coefficients of one photograph take tens of megabytes, and a system that hands out every page anew, page
  /// by page and cleared, takes a quarter of the time of transforming it. One arena serves all threads, so that what
  /// one restores another may use. To be called before there are other threads; only the GNU C library can be
  /// told.
  ///
  /// - Parameter isShared: Whether all threads share what is free; where pieces are small, they would wait for
  ///   each other.
  package static func reuse(isShared: Bool = true) {
    #if canImport(Glibc)
    _ = mallopt(M_MMAP_THRESHOLD, Int32.max)
    _ = mallopt(M_TRIM_THRESHOLD, Int32.max)
    if isShared {
      _ = mallopt(M_ARENA_MAX, 1)
      adviseHugePages()
    }
    #endif
  }
}
