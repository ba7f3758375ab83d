// Makes storage slow, as a network share is: preloaded, it delays each open, stat and read.
//
//   UPRIGHT_SLOW    microseconds for each call; nothing is delayed without it
//
//   cc -shared -fPIC -O1 -o slow.so tools/dev/faults/slow.c
//   UPRIGHT_SLOW=5000 LD_PRELOAD=./slow.so upright audit photos

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct timespec delay;

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("UPRIGHT_SLOW");
  long microseconds = text ? atol(text) : 0;
  delay = (struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000};
}

static void wait_for_storage(void) {
  if (delay.tv_sec || delay.tv_nsec) nanosleep(&delay, NULL);
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
  wait_for_storage()

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPENAT(function) \
  int function(int directory, const char *path, int flags, ...) { \
    REAL(function); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = mode_of(flags, arguments); \
    va_end(arguments); \
    return real(directory, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

#define OPEN(function) \
  int function(const char *path, int flags, ...) { \
    REAL(function); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = mode_of(flags, arguments); \
    va_end(arguments); \
    return real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

DIR *opendir(const char *path) {
  REAL(opendir);
  return real(path);
}

ssize_t read(int file, void *bytes, size_t size) {
  REAL(read);
  return real(file, bytes, size);
}

#define PREAD(function, offset_type) \
  ssize_t function(int file, void *bytes, size_t size, offset_type offset) { \
    REAL(function); \
    return real(file, bytes, size, offset); \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define STAT(function, argument, type) \
  int function(argument file, struct type *status) { \
    REAL(function); \
    return real(file, status); \
  }
STAT(fstat, int, stat)
STAT(fstat64, int, stat64)
STAT(stat, const char *, stat)
STAT(stat64, const char *, stat64)
STAT(lstat, const char *, stat)
STAT(lstat64, const char *, stat64)

#define FSTATAT(function, type) \
  int function(int directory, const char *path, struct type *status, int flags) { \
    REAL(function); \
    return real(directory, path, status, flags); \
  }
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)
