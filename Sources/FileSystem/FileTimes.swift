import SystemPackage

/// Which modification time a file gets whose content is replaced; the raw values are option values.
package enum FileTimes: String, CaseIterable, Sendable {
  /// Programs that compare size and time see the change: the time is kept, and is one second later where the file
  /// would have the size and the second that it had before.
  case visible
  /// The time is kept.
  case keep
  /// The present time.
  case now
}

/// What is known about a change of a file's content, as far as its time depends on it.
package struct ContentChange: Sendable {
  /// Whether the displayed image differs, so that thumbnails that were made of the old content are wrong.
  ///
  /// Programs that keep thumbnails compare the time only, in whole seconds.
  package var isDisplayed: Bool
  /// The time that the file had when it last had the new content; nil if it is not known, or for a content that is
  /// new.
  package var original: Timestamp?

  /// Creates the facts.
  package init(isDisplayed: Bool = false, original: Timestamp? = nil) {
    self.isDisplayed = isDisplayed
    self.original = original
  }
}

extension FileTimes {
  /// Sets the times of a new file that replaces another one.
  ///
  /// A file system may keep less than the time that is set, such as every second second (FAT), so the time is read
  /// back.
  ///
  /// - Parameters:
  ///   - file: The new file; its content is written.
  ///   - access: The time of the last access.
  ///   - modification: The time to keep.
  ///   - former: The size and time of the file that it replaces; nil if that change need not be seen.
  ///   - change: What is known about the change.
  /// - Throws: The system's error.
  func set(
    on file: FileDescriptor,
    access: Timestamp,
    modification: Timestamp,
    replacing former: FileIdentity?,
    _ change: ContentChange = ContentChange()
  ) throws(Errno) {
    var time = modification
    if self == .now { time = try Syscalls.status(file).modificationTime }
    // The coarsest file system keeps two seconds.
    for _ in 0...2 {
      try Syscalls.changeTimes(file, access: access, modification: time)
      guard self != .keep, let former else { return }
      let status = try Syscalls.status(file)
      guard status.modificationTime.seconds == former.modificationTime.seconds,
        status.size == former.size || change.isDisplayed
      else { return }
      time.seconds += 1
    }
  }
}
