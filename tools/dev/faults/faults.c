// Makes one chosen system call fail, come up short, or be the last: preloaded by the tests (FaultLibrary.swift).
//
//   UPRIGHT_FAULTS_TREE    a directory: only calls on paths and descriptors below it are counted, and those that accept
//                          connections, with the name "connections"
//   UPRIGHT_FAULTS_LOG     a file that gets a line for each counted call: number, call, name
//   UPRIGHT_FAULTS_OUTPUT  if set, calls on standard output are counted, too; faults that last do not concern them
//   UPRIGHT_FAULT          "CALL NUMBER HOW ERRNO NAME": what happens to this call on this name
//   UPRIGHT_SLOW           microseconds by which each open, stat and read is late, wherever, as on a network share
//
// Calls of the same kind on the same name are numbered from 1. Their order among other calls depends on how fast the
// machine is, because upright lists a directory when it needs the next file. The random part of a temporary file's name
// is replaced by xxxxxx.
//
//   fail    it fails with ERRNO and is not made
//   late    it is made, and reported as failed with ERRNO
//   blind   it is made, and reported as failed with ERRNO, as are the calls that only read until the next of another kind
//   short   it reads or writes half of what it was asked for
//   end     it reads nothing, as at the end of a file
//   fill    it writes half, and then the disk is full: calls that need room fail with ERRNO
//   full    the disk is full from this call on: calls that need room fail with ERRNO
//   fixed   from this call on, calls that change something fail with ERRNO
//   gone    from this call on, all calls fail with ERRNO
//   kill    the process is killed before the call
//   term    the process is asked to end before the call
//
// fsync does nothing, for a test needs no disk that survives a power failure, and would wait for it most of its time.
// Faults are for one thread only: upright runs with -j 1.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// What a call does: what it would need for its success.
enum { READS = 0, CHANGES = 1, GROWS = 2 };
enum action { MAKE, FAIL, FAIL_LATE, SHORTEN, END };

enum { DESCRIPTORS = 1024, LOG = 1000 };
// The name of what each descriptor was opened as; NULL where it is none of the tree's.
static char *names[DESCRIPTORS];
static const char *tree;
static char output[] = "standard output";
static char how[8];
static int fault;
static struct timespec delay;

enum { CALL = 16, NAME = 256, KINDS = 1024 };
// How often each call was made on each name.
static struct kind { char call[CALL], name[NAME]; long count; } kinds[KINDS];
static struct kind chosen;
static bool has_struck, sees_again;

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static const char *last(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static const char *name_of(int file) {
  return file >= 0 && file < DESCRIPTORS ? names[file] : NULL;
}

// The name to log of a path in the tree; NULL of any other.
static const char *name_in(int directory, const char *path) {
  if (!tree || !path) return NULL;
  if (*path != '/') return name_of(directory) ? last(path) : NULL;
  size_t length = strlen(tree);
  bool inside = !strncmp(path, tree, length) && (path[length] == '/' || !path[length]);
  return inside ? last(path) : NULL;
}

static void keep(int file, const char *name) {
  if (file >= 0 && file < DESCRIPTORS && name) names[file] = strdup(name);
}

static void drop(int file) {
  if (file < 0 || file >= DESCRIPTORS) return;
  free(names[file]);
  names[file] = NULL;
}

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("UPRIGHT_FAULTS_LOG");
  tree = getenv("UPRIGHT_FAULTS_TREE");
  long microseconds = getenv("UPRIGHT_SLOW") ? atol(getenv("UPRIGHT_SLOW")) : 0;
  delay = (struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000};
  if (getenv("UPRIGHT_FAULTS_OUTPUT")) names[1] = strdup(output);
  const char *text = getenv("UPRIGHT_FAULT");
  if (text) sscanf(text, "%15s %ld %7s %d %255[^\n]", chosen.call, &chosen.count, how, &fault, chosen.name);
  int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  if (file < 0) return;
  // Where it takes no number that the process would have got.
  fcntl(file, F_DUPFD_CLOEXEC, LOG);
  close(file);
}

static void note(long count, const char *call, const char *name) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "write");
  char line[512];
  int length = snprintf(line, sizeof line, "%ld\t%s\t%s\n", count, call, name);
  if (length > 0 && length < (int)sizeof line) (void)!real(LOG, line, (size_t)length);
}

// Counts a call on a name, in which the random part is replaced.
static struct kind *counted(const char *call, const char *name) {
  char stable[NAME];
  snprintf(stable, sizeof stable, "%s", name);
  size_t length = strlen(stable), end = strlen(".upright-xxxxxx.tmp");
  char *random = length > end ? stable + length - end : stable;
  if (!strncmp(random, ".upright-", 9) && !strcmp(random + 15, ".tmp")) memcpy(random + 9, "xxxxxx", 6);
  struct kind *kind = kinds;
  while (kind < kinds + KINDS - 1 && *kind->call && (strcmp(kind->call, call) || strcmp(kind->name, stable))) kind++;
  snprintf(kind->call, CALL, "%s", call);
  snprintf(kind->name, NAME, "%s", stable);
  kind->count += 1;
  return kind;
}

// Counts a call on something with a name, and decides what becomes of it.
static enum action next(const char *call, const char *name, int needs) {
  // A directory is read in one request.
  if (needs == READS && (delay.tv_sec || delay.tv_nsec) && strcmp(call, "readdir")) nanosleep(&delay, NULL);
  if (!name) return MAKE;
  int error = errno;
  struct kind *kind = counted(call, name);
  note(kind->count, call, kind->name);
  errno = error;
  bool is_first = !has_struck && kind->count == chosen.count && !strcmp(call, chosen.call) && !strcmp(kind->name, chosen.name);
  if (is_first) has_struck = true;
  if (!has_struck) return MAKE;
  if (!is_first && !strcmp(name, output)) return MAKE;
  if (!strcmp(how, "full") || (!strcmp(how, "fill") && !is_first)) {
    return needs == GROWS ? FAIL : MAKE;
  }
  if (!strcmp(how, "fixed")) return needs ? FAIL : MAKE;
  if (!strcmp(how, "gone")) return FAIL;
  if (!strcmp(how, "blind") && !is_first) {
    if (needs != READS) sees_again = true;
    return sees_again ? MAKE : FAIL;
  }
  if (!is_first) return MAKE;
  if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
  if (!strcmp(how, "term")) raise(SIGTERM);
  if (!strcmp(how, "fail")) return FAIL;
  if (!strcmp(how, "late") || !strcmp(how, "blind")) return FAIL_LATE;
  if (!strcmp(how, "short") || !strcmp(how, "fill")) return SHORTEN;
  if (!strcmp(how, "end")) return END;
  return MAKE;
}

static long failed(void) {
  errno = fault;
  return -1;
}

#define CALL(type, label, name, needs, made) \
  enum action action = next(label, name, needs); \
  if (action == FAIL) return (type)failed(); \
  type result = (made); \
  return action == FAIL_LATE ? (type)failed() : result

// A function that is one call: its name in the log, the name of what it is about, and how it is made.
#define WRAP(type, function, parameters, label, name, needs, arguments) \
  type function parameters { \
    REAL(function); \
    CALL(type, label, name, needs, real arguments); \
  }

// Opening

static int opened(const char *name, enum action action, int file) {
  if (file < 0) return file;
  if (action != FAIL_LATE) {
    keep(file, name);
    return file;
  }
  close(file);
  return (int)failed();
}

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(function, directory, parameters, arguments) \
  int function parameters { \
    REAL(function); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = mode_of(flags, more); \
    va_end(more); \
    const char *name = name_in(directory, path); \
    enum action action = next("open", name, flags & O_CREAT ? GROWS : READS); \
    if (action == FAIL) return (int)failed(); \
    return opened(name, action, real arguments); \
  }
OPEN(openat, directory, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))
OPEN(openat64, directory, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))
OPEN(open, AT_FDCWD, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, AT_FDCWD, (const char *path, int flags, ...), (path, flags, mode))

int close(int file) {
  REAL(close);
  drop(file);
  return real(file);
}

DIR *opendir(const char *path) {
  REAL(opendir);
  const char *name = name_in(AT_FDCWD, path);
  if (next("opendir", name, READS) != MAKE) {
    failed();
    return NULL;
  }
  DIR *directory = real(path);
  if (directory) keep(dirfd(directory), name);
  return directory;
}

int closedir(DIR *directory) {
  REAL(closedir);
  drop(dirfd(directory));
  return real(directory);
}

#define READDIR(function, entry) \
  struct entry *function(DIR *directory) { \
    REAL(function); \
    if (next("readdir", name_of(dirfd(directory)), READS) == MAKE) return real(directory); \
    failed(); \
    return NULL; \
  }
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

char *realpath(const char *path, char *resolved) {
  REAL(realpath);
  if (next("realpath", name_in(AT_FDCWD, path), READS) == MAKE) return real(path, resolved);
  failed();
  return NULL;
}

// Content

static size_t half(enum action action, size_t size) {
  if (action == END) return 0;
  return action == SHORTEN && size > 1 ? size / 2 : size;
}

#define HALF half(action, size)
WRAP(ssize_t, write, (int file, const void *bytes, size_t size), "write", name_of(file), GROWS, (file, bytes, HALF))
WRAP(ssize_t, read, (int file, void *bytes, size_t size), "read", name_of(file), READS, (file, bytes, HALF))
WRAP(ssize_t, pread, (int file, void *bytes, size_t size, off_t at), "pread", name_of(file), READS, (file, bytes, HALF, at))
WRAP(ssize_t, pread64, (int file, void *bytes, size_t size, off64_t at), "pread", name_of(file), READS, (file, bytes, HALF, at))

int fsync(int file) {
  CALL(int, "fsync", name_of(file), CHANGES, 0);
}

// Status

WRAP(int, fstat, (int file, struct stat *status), "fstat", name_of(file), READS, (file, status))
WRAP(int, fstat64, (int file, struct stat64 *status), "fstat", name_of(file), READS, (file, status))
WRAP(int, stat, (const char *path, struct stat *status), "stat", name_in(AT_FDCWD, path), READS, (path, status))
WRAP(int, lstat, (const char *path, struct stat *status), "stat", name_in(AT_FDCWD, path), READS, (path, status))
WRAP(int, fstatat, (int directory, const char *path, struct stat *status, int flags), "fstatat", name_in(directory, path),
     READS, (directory, path, status, flags))
WRAP(int, fstatat64, (int directory, const char *path, struct stat64 *status, int flags), "fstatat", name_in(directory, path),
     READS, (directory, path, status, flags))

// Names

WRAP(int, renameat, (int from, const char *old, int to, const char *new), "rename", name_in(to, new), CHANGES, (from, old, to, new))
WRAP(int, linkat, (int from, const char *old, int to, const char *new, int flags), "link", name_in(to, new), GROWS,
     (from, old, to, new, flags))
WRAP(int, unlinkat, (int directory, const char *path, int flags), "unlink", name_in(directory, path), CHANGES,
     (directory, path, flags))
WRAP(int, mkdir, (const char *path, mode_t mode), "mkdir", name_in(AT_FDCWD, path), GROWS, (path, mode))

// renameat2 has no function in every C library, and is called by its number.
long syscall(long number, ...) {
  REAL(syscall);
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (int index = 0; index < 6; index += 1) a[index] = va_arg(arguments, long);
  va_end(arguments);
  const char *name = number == SYS_renameat2 ? name_in((int)a[2], (const char *)a[3]) : NULL;
  CALL(long, "renameat2", name, CHANGES, real(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

// Connections

WRAP(int, accept4, (int file, struct sockaddr *address, socklen_t *length, int flags), "accept", "connections", READS,
     (file, address, length, flags))

// Locks and attributes

WRAP(int, flock, (int file, int operation), "flock", name_of(file), READS, (file, operation))
WRAP(int, ftruncate, (int file, off_t size), "ftruncate", name_of(file), CHANGES, (file, size))
WRAP(int, fchown, (int file, uid_t user, gid_t group), "fchown", name_of(file), CHANGES, (file, user, group))
WRAP(int, fchmod, (int file, mode_t mode), "fchmod", name_of(file), CHANGES, (file, mode))
WRAP(int, futimens, (int file, const struct timespec times[2]), "futimens", name_of(file), CHANGES, (file, times))
WRAP(ssize_t, flistxattr, (int file, char *list, size_t size), "flistxattr", name_of(file), READS, (file, list, size))
WRAP(ssize_t, fgetxattr, (int file, const char *key, void *value, size_t size), "fgetxattr", name_of(file), READS,
     (file, key, value, size))
WRAP(int, fsetxattr, (int file, const char *key, const void *value, size_t size, int flags), "fsetxattr", name_of(file), GROWS,
     (file, key, value, size, flags))
WRAP(int, fremovexattr, (int file, const char *key), "fremovexattr", name_of(file), CHANGES, (file, key))
