// Calls of the C library that Swift's own module of it leaves out.

#ifndef UPRIGHT_CFILESYSTEM_SHIM_H
#define UPRIGHT_CFILESYSTEM_SHIM_H

#include <sys/xattr.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Renames within a directory; fails with EEXIST instead of replacing a file (renameat2(2)).
static inline int rename_exclusively(int directory, const char *from, const char *to) {
  const unsigned int no_replace = 1;
  return (int)syscall(SYS_renameat2, directory, from, directory, to, no_replace);
}

/// Exchanges the files that two names in a directory stand for (renameat2(2)).
static inline int exchange_names(int directory, const char *one, const char *other) {
  const unsigned int exchange = 2;
  return (int)syscall(SYS_renameat2, directory, one, directory, other, exchange);
}

/// Takes a lease of a file that is open for reading alone; fails with EAGAIN if somebody has it open for writing
/// (fcntl(2)).
static inline int take_lease(int file) {
  const int set_signal = 10, set_lease = 1024;
  // The signal that tells of somebody who opens the file: one that does nothing.
  if (fcntl(file, set_signal, SIGURG) == -1) return -1;
  return fcntl(file, set_lease, F_RDLCK);
}

/// Whether the lease is held and nobody has opened the file for writing since it was taken.
static inline int holds_lease(int file) {
  const int get_lease = 1025;
  return fcntl(file, get_lease) == F_RDLCK;
}
#endif

#endif
