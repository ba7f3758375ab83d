// Functions of the C library that Swift's module of it does not export.

#ifndef UPRIGHT_CFILESYSTEM_SHIM_H
#define UPRIGHT_CFILESYSTEM_SHIM_H

#include <sys/xattr.h>

/// Returns 0, so that the system call of this name is made. Tests define the function again, which makes calls fail: a
/// positive error number is the error of a call that is not made, a negated one that of a call that is made.
__attribute__((weak)) int injected_error(const unsigned char *call) {
  (void)call;
  return 0;
}

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Returns whether the mount of a file, and not the user who creates a file, decides whose the files there are, as far
/// as the type of the file system shows that (statfs(2)).
static inline int mount_assigns_owners(const char *path) {
  struct statfs status;
  if (statfs(path, &status) == -1) return 0;
  switch ((unsigned)status.f_type) {
    case 0x4D44:      // FAT
    case 0x2011BAB0:  // exFAT
    case 0x5346544E:  // NTFS
    case 0x7366746E:  // NTFS (ntfs3)
    case 0x517B:      // SMB
    case 0xFE534D42:  // SMB 2
    case 0xFF534D42:  // CIFS
    case 0x65735546:  // FUSE
    case 0x01021997:  // 9P
      return 1;
    default: return 0;
  }
}

/// Returns whether a program serves the file system of an open file (FUSE).
static inline int is_served_by_program(int file) {
  struct statfs status;
  return fstatfs(file, &status) == 0 && (unsigned)status.f_type == 0x65735546;
}

/// Drops what the system remembers of a file, so that the program or server that has it is asked again; each name
/// of a file may be remembered by itself.
static inline void forget_cached(int file) {
  const int empty_path = 0x1000, force_sync = 0x2000, basic = 0x7ff;
  char status[256];
  (void)syscall(SYS_statx, file, "", empty_path | force_sync, basic, status);
  (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

/// Renames within a directory; fails with EEXIST instead of replacing a file (renameat2(2)).
static inline int rename_exclusively(int directory, const char *from, const char *to) {
  const unsigned int no_replace = 1;
  return (int)syscall(SYS_renameat2, directory, from, directory, to, no_replace);
}

/// Exchanges the names of two files in a directory (renameat2(2)).
static inline int exchange_names(int directory, const char *one, const char *other) {
  const unsigned int exchange = 2;
  return (int)syscall(SYS_renameat2, directory, one, directory, other, exchange);
}

/// Takes a lease on a file that is open only for reading; fails with EAGAIN if a process has it open for writing
/// (fcntl(2)).
static inline int take_lease(int file) {
  const int set_signal = 10, set_lease = 1024;
  // The signal for an attempt to open the file: one that is ignored by default.
  if (fcntl(file, set_signal, SIGURG) == -1) return -1;
  return fcntl(file, set_lease, F_RDLCK);
}

/// Returns whether the lease is held and no process has opened the file for writing since it was taken.
static inline int holds_lease(int file) {
  const int get_lease = 1025;
  return fcntl(file, get_lease) == F_RDLCK;
}
#endif

#endif
