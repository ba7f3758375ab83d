// What Debian's Swift takes from newer versions of glibc and libstdc++ than those of Debian 12 and Ubuntu 22.04.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A library that lacks one of them must not find it here: the linker would export it.
#pragma GCC visibility push(hidden)

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

size_t strlcpy(char *copy, const char *text, size_t size) {
  size_t length = strlen(text);
  if (size > 0) {
    size_t count = length < size ? length : size - 1;
    memcpy(copy, text, count);
    copy[count] = 0;
  }
  return length;
}

// std::__glibcxx_assert_fail
_Noreturn void fail(const char *file, int line, const char *function, const char *condition)
    __asm__("_ZSt21__glibcxx_assert_failPKciS0_S0_");

void fail(const char *file, int line, const char *function, const char *condition) {
  fprintf(stderr, "%s:%d: %s: %s\n", file ? file : "", line, function ? function : "", condition ? condition : "");
  abort();
}
