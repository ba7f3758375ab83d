// Makes the HEVC decoder of libheif fail: preloaded, it looks for a word in each coded unit that libheif passes on.
//
//   FAULT-crash     writes to address 0
//   FAULT-wait      waits forever
//   FAULT-memory    allocates memory until there is no more, then aborts
//   FAULT-loss      ends with status 0, without a result
//   FAULT-unwritten does not write the samples of the image
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
typedef const uint8_t *plane(const void *, int, int *);
typedef int height(const void *, int);

static int leaves_unwritten;

static void *real(const char *name) { return dlsym(dlopen("libde265.so.0", RTLD_NOW | RTLD_NOLOAD), name); }

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
  if (has(data, length, "FAULT-unwritten")) leaves_unwritten = 1;
  return ((push *)real("de265_push_NAL"))(decoder, data, length, time, user);
}

const uint8_t *de265_get_image_plane(const void *image, int channel, int *stride) {
  const uint8_t *samples = ((plane *)real("de265_get_image_plane"))(image, channel, stride);
  if (!leaves_unwritten) return samples;
  return malloc((size_t)*stride * ((height *)real("de265_get_image_height"))(image, channel));
}
