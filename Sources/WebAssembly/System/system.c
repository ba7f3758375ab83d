// The system functions that Swift, expat and wasi-libc require, for a JavaScript engine as the only system.

#include <stddef.h>
#include <stdlib.h>

#include "host.h"

/// Fills memory with random bytes: the seeds of hash tables.
__attribute__((import_module("upright"), import_name("random"))) void upright_random(void *, size_t);

/// Throws a JavaScript error.
__attribute__((import_module("upright"), import_name("outOfMemory"))) _Noreturn void
upright_out_of_memory(void);

static volatile int stop;

/// Returns the address of `stop`, which another thread of the host writes during a call.
__attribute__((export_name("upright_stop_address"))) volatile int *upright_stop_address(void) { return &stop; }

int requested_stop(void) { return stop; }

void arc4random_buf(void *bytes, size_t count) { upright_random(bytes, count); }

_Noreturn void abort(void) { __builtin_trap(); }

int __real_posix_memalign(void **, size_t, size_t);

/// Swift's allocation.
///
/// Swift does not check for failure, and address 0 is writable in WebAssembly.
int __wrap_posix_memalign(void **address, size_t alignment, size_t size) {
  int error = __real_posix_memalign(address, alignment, size);
  if (error) upright_out_of_memory();
  return error;
}

/// Used by Double.init(_: String) of Swift's standard library.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  char *end;
  *result = strtod(text, &end);
  return end;
}

// Nothing is printed and no stream is read: strtod reads a string as a stream that never requires another buffer.
struct _IO_FILE;
int putchar(int character) { return character; }
int fputs(const char *text, struct _IO_FILE *stream) { (void)text, (void)stream; return 0; }
int __uflow(struct _IO_FILE *stream) { (void)stream; return -1; }
char *getenv(const char *name) { (void)name; return NULL; }
