// Makes the HEVC decoder of libheif fail: preloaded, it looks for a word in each coded unit that libheif passes on.
//
//   FAULT-crash     writes to address 0
//   FAULT-wait      waits forever
//   FAULT-memory    allocates memory until there is no more, then aborts
//   FAULT-loss      ends with status 0, without a result
//
//   cc -shared -fPIC -O1 -o decoder.so tools/dev/faults/decoder.c
//   LD_PRELOAD=./decoder.so upright convert photo.heic

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int push(void *, const void *, int, int64_t, void *);

static int has(const void *data, int length, const char *word) {
  return memmem(data, length, word, strlen(word)) != NULL;
}

int de265_push_NAL(void *decoder, const void *data, int length, int64_t time, void *user) {
  if (has(data, length, "FAULT-crash")) *(volatile int *)0 = 1;
  if (has(data, length, "FAULT-wait")) for (;;) pause();
  if (has(data, length, "FAULT-memory")) {
    for (char *block; (block = malloc(1 << 24));) memset(block, 1, 1 << 24);
    abort();
  }
  if (has(data, length, "FAULT-loss")) _exit(0);
  void *library = dlopen("libde265.so.0", RTLD_NOW | RTLD_NOLOAD);
  return ((push *)dlsym(library, "de265_push_NAL"))(decoder, data, length, time, user);
}
