#include <libexif/exif-data.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

// libexif copies the value of every entry, and entries may share one value: a hostile block of 64 KiB could allocate
// more than a gigabyte. These allocators enforce a limit for each thread, because libexif's callbacks have no context
// parameter.

struct upright_exif_allowance {
  size_t bytes;
  bool exceeded;
};

// Within a function, because Swift does not import thread-local variables of file scope.
static inline struct upright_exif_allowance *upright_exif_allowance(void) {
  static _Thread_local struct upright_exif_allowance allowance;
  return &allowance;
}

static inline void *upright_exif_alloc(ExifLong size) {
  struct upright_exif_allowance *allowance = upright_exif_allowance();
  if (size > allowance->bytes) {
    allowance->exceeded = true;
    return NULL;
  }
  allowance->bytes -= size;
  return calloc(1, size);
}

// Only tables of entries grow, and their counts are 16-bit numbers, so growth is not counted.
static inline void *upright_exif_realloc(void *block, ExifLong size) {
  return realloc(block, size);
}

// Creates empty data; reading it on this thread may allocate `bytes` in total.
static inline ExifData *upright_exif_data_new(size_t bytes) {
  *upright_exif_allowance() = (struct upright_exif_allowance){bytes, false};
  ExifMem *memory = exif_mem_new(upright_exif_alloc, upright_exif_realloc, free);
  ExifData *data = exif_data_new_mem(memory);
  if (memory) exif_mem_unref(memory);
  return data;
}

// Returns whether the data created last on this thread exceeded its limit.
static inline bool upright_exif_exceeded(void) { return upright_exif_allowance()->exceeded; }
