// Starting this program a second time, and limiting it.

#ifndef UPRIGHT_CFILESYSTEM_PROCESS_H
#define UPRIGHT_CFILESYSTEM_PROCESS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#else
#include <sys/prctl.h>
#include <sys/syscall.h>
extern char **environ;
#endif

/// Starts this program with other arguments, standard input and standard output, and without standard error.
///
/// Signals are not ignored or blocked there, and no other file is open. Returns -1 and sets errno if that fails.
static inline int start_again(pid_t *process, char *const arguments[], int input, int output) {
#ifdef __APPLE__
  char program[4096];
  uint32_t size = sizeof(program);
  if (_NSGetExecutablePath(program, &size) != 0) { errno = ENAMETOOLONG; return -1; }
  char **environment = *_NSGetEnviron();
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT;
#else
  const char *program = "/proc/self/exe";
  char **environment = environ;
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#endif
  // The program need not describe its crash; that would take longer than the work.
  size_t count = 0, kept = 0;
  while (environment[count]) count++;
  char **reduced = (char **)malloc((count + 2) * sizeof(char *));
  if (!reduced) return -1;
  for (size_t index = 0; index < count; index++)
    if (strncmp(environment[index], "SWIFT_BACKTRACE=", 16) != 0) reduced[kept++] = environment[index];
  reduced[kept++] = (char *)"SWIFT_BACKTRACE=enable=no";
  reduced[kept] = 0;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, standard;
  sigemptyset(&none);
  sigemptyset(&standard);
  const int signals[] = {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ, SIGXCPU};
  for (size_t index = 0; index < sizeof(signals) / sizeof(*signals); index++)
    sigaddset(&standard, signals[index]);

  int error = posix_spawn_file_actions_init(&actions);
  if (!error) {
    error = posix_spawnattr_init(&attributes);
    if (!error) {
      if (!error) error = posix_spawn_file_actions_adddup2(&actions, input, 0);
      if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, 1);
      if (!error) error = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
      if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
      if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
      if (!error) error = posix_spawnattr_setsigdefault(&attributes, &standard);
      if (!error) error = posix_spawnattr_setflags(&attributes, flags);
      if (!error) error = posix_spawn(process, program, &actions, &attributes, arguments, reduced);
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  free(reduced);
  if (!error) return 0;
  errno = error;
  return -1;
}

/// Replaces this program by another one: a file in the folder of this one, or else in one of PATH.
///
/// Returns -1 and sets errno if there is none.
static inline int become_other(const char *name, char *const arguments[]) {
  char program[4096];
#ifdef __APPLE__
  uint32_t size = sizeof(program);
  size_t length = _NSGetExecutablePath(program, &size) == 0 ? strlen(program) : 0;
#else
  ssize_t found = readlink("/proc/self/exe", program, sizeof(program));
  size_t length = found > 0 ? (size_t)found : 0;
#endif
  while (length > 0 && program[length - 1] != '/') length--;
  if (length > 0 && length + strlen(name) < sizeof(program)) {
    strcpy(program + length, name);
    execv(program, arguments);
    if (errno != ENOENT) return -1;
  }
  return execvp(name, arguments);
}

/// Opens a file without a name that is closed when programs are started, or returns -1 and sets errno.
///
/// On Linux it is in memory, because a service may have no file system that it can write to.
static inline int open_unnamed_file(void) {
#ifdef __APPLE__
  char name[] = "/tmp/upright-XXXXXX";
  int file = mkstemp(name);
  if (file != -1) {
    unlink(name);
    fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  return file;
#else
  return (int)syscall(SYS_memfd_create, "upright", 1U /* MFD_CLOEXEC */);
#endif
}

/// Ends a process that this one started, if it has not ended, and returns its status (wait(2)).
static inline int end_process(pid_t process) {
  int status = 0;
  kill(process, SIGKILL);
  while (waitpid(process, &status, 0) == -1 && errno == EINTR) {}
  return status;
}

/// Returns the signal that ended a process, or 0.
static inline int ending_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

/// Returns the exit status of a process.
static inline int exit_status(int status) { return WEXITSTATUS(status); }

/// Limits this process: memory beyond what it has already, seconds of CPU time, no files written.
///
/// The process ends with the one that started it, if the system supports that.
static inline void limit_process(uint64_t memory, uint64_t seconds) {
  struct rlimit limit;
  limit.rlim_cur = limit.rlim_max = 0;
  setrlimit(RLIMIT_CORE, &limit);
  // Pipes are not limited by this.
  setrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = limit.rlim_max = seconds;
  setrlimit(RLIMIT_CPU, &limit);
#ifndef __APPLE__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Libraries and, with a sanitizer, terabytes of reserved addresses are there already.
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file) {
    if (fscanf(file, "%llu", &pages) != 1) pages = 0;
    fclose(file);
  }
  if (pages) {
    limit.rlim_cur = limit.rlim_max = pages * (uint64_t)sysconf(_SC_PAGESIZE) + memory;
    setrlimit(RLIMIT_AS, &limit);
  }
#endif
}

#endif
