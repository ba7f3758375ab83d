// Memory functions of the compiler, without a C library's headers, which are also available on WebAssembly.

#ifndef UPRIGHT_CMEMORY_SHIM_H
#define UPRIGHT_CMEMORY_SHIM_H

#include <stddef.h>

/// Prefetches the memory at an address.
///
/// Never fails, at any address.
static inline void prefetch(const void *address) { __builtin_prefetch(address); }

/// Returns the first occurrence of a byte among `count` bytes, or NULL (memchr of the C library).
static inline const void *find_byte(const void *start, int byte, size_t count) {
  return __builtin_memchr(start, byte, count);
}

/// Compares two byte strings: negative, 0 or positive (memcmp of the C library).
static inline int compare_bytes(const void *first, const void *second, size_t count) {
  return __builtin_memcmp(first, second, count);
}

#endif
