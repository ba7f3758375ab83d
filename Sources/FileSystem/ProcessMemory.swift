internal import CFileSystem

/// The memory management of the process.
package enum ProcessMemory {
  /// Makes the allocator keep free memory for the next photo instead of returning it to the system.
  ///
  /// The coefficients of one photo take tens of megabytes, and getting them from the system again, page by
  /// page and cleared, takes a quarter of the time of a transform. One arena serves all threads, so that memory
  /// freed by one is reused by another. Must be called before other threads exist; has an effect with the GNU C
  /// library only.
  ///
  /// - Parameter isShared: Whether all threads share one arena; with many small allocations, they would contend
  ///   for it.
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

  /// The value of memory that was allocated and not written, after ``fill()``.
  package static let filler: UInt8 = 0xA5

  /// Makes the allocator fill memory with ``filler`` when it is allocated.
  ///
  /// A decoder that does not write all of its result then returns this value, and not what was in the memory before.
  /// Has an effect with the GNU C library only.
  package static func fill() { fillAllocations(with: filler) }
}
