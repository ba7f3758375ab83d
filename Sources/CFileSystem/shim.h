// Calls of the C library that Swift's own module of it leaves out.

#ifndef UPRIGHT_CFILESYSTEM_SHIM_H
#define UPRIGHT_CFILESYSTEM_SHIM_H

#include <sys/xattr.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
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
#endif

#endif
