/*
 * Small worlds, complete: every image of a few blocks over a small alphabet, written in every convention, with each
 * Orientation, is normalized and restored by libupright. A decoder of its own must find the transformed coefficients
 * in the result, and the restored file must be the original. Then every Exif block of up to three entries.
 *
 *   worlds [--every N] [--jobs N] [--only images|exif] [--max-failures N]
 *
 * --every takes each Nth case; it should be odd, or some Orientations are never tried. All cases take about 25 minutes
 * on two cores. A job ends after --max-failures cases that fail. Prints the counts of each world, and the first cases that fail; the status is 1 if there are any.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upright.h>

#include "worlds.h"

typedef struct { long cases, changed, refused, failed; } tally;

static long every = 1, failures, max_failures = LONG_MAX;
static int job, jobs = 2;

static void fail(tally *t, const char *what, const char *world, long number) {
  failures++;
  if (t->failed++ < 5) fprintf(stderr, "FAILED: %s, case %ld: %s\n", world, number, what);
}

/* -- The images -------------------------------------------------------------------------------------------------*/

typedef struct { int position, value; } coefficient;
enum { DC_VALUES = 3, AC_PATTERNS = 13, DENSE = 12 };
static const int dc_values[DC_VALUES] = {0, 5, -1};
/* By zigzag position: short and long runs, the last position, values that a refinement changes, both signs. */
static const coefficient ac_patterns[AC_PATTERNS][3] = {
  {{0, 0}}, {{1, -1}}, {{63, 1}}, {{20, -1}}, {{1, 3}, {2, -1}, {63, -4}}, {{4, 7}, {8, -1}},
  {{1, 1}}, {{2, -2}}, {{5, 1}, {6, 2}, {7, -3}}, {{1, -5}, {40, 1}}, {{3, 1}, {62, -2}}, {{33, 300}},
};
/* The pattern DENSE: values of all sizes with few zeros between them, more bits than a decoder reads at once. */
static int dense(int k) { return (k * 5 % 7 - 3) * (k % 4 == 0 ? 100 : 1); }

typedef struct { const char *name; int count, h, v, columns, rows, patterns; } shape;
static const shape shapes[] = {
  {"one gray MCU", 1, 1, 1, 1, 1, DC_VALUES * AC_PATTERNS}, {"two gray MCUs beside each other", 1, 1, 1, 2, 1, 18},
  {"two gray MCUs below each other", 1, 1, 1, 1, 2, 18}, {"4:4:4", 3, 1, 1, 1, 1, 6}, {"4:2:2", 3, 2, 1, 1, 1, 3},
  {"4:4:0", 3, 1, 2, 1, 1, 3}, {"4:2:0", 3, 2, 2, 1, 1, 3}, {"two MCUs of 4:4:4", 3, 1, 1, 2, 1, 3},
};

/* A pattern of the alphabet, or, where there are many blocks, of a few that differ much. */
static void set_block(int16_t *block, int number, int patterns) {
  static const int few[] = {0, 37, 11, 25, 33, 7};
  if (patterns <= 6) number = few[number];
  memset(block, 0, sizeof(int16_t[64]));
  block[0] = dc_values[number % DC_VALUES];
  for (int k = 1; k < 64 && number / DC_VALUES == DENSE; k++) block[zigzag[k]] = dense(k);
  const coefficient *ac = ac_patterns[number / DC_VALUES];
  for (int i = 0; i < 3; i++) if (ac[i].position > 0) block[zigzag[ac[i].position]] = ac[i].value;
}

static int make_image(image *photo, const shape *s, long number) {
  memset(photo, 0, sizeof *photo);
  photo->width = 8 * s->h * s->columns, photo->height = 8 * s->v * s->rows, photo->count = s->count;
  for (int i = 0; i < s->count; i++) {
    component *c = &photo->components[i];
    c->h = i == 0 ? s->h : 1, c->v = i == 0 ? s->v : 1, c->columns = s->columns * c->h, c->rows = s->rows * c->v;
    for (int k = 0; k < 64; k++) c->quantization[k] = 1 + k + 64 * i;
    for (int n = 0; n < c->columns * c->rows; n++, number /= s->patterns) set_block(c->blocks[n], number % s->patterns, s->patterns);
  }
  return number == 0;
}

/* The image that a viewer shows: first transposed, then mirrored (Exif 2.32, 4.6.4). */
static void transform(const image *source, int orientation, image *result) {
  int transposes = orientation > 4;
  int x = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  int y = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  *result = *source;
  if (transposes) result->width = source->height, result->height = source->width;
  for (int i = 0; i < source->count; i++) {
    const component *from = &source->components[i];
    component *to = &result->components[i];
    if (transposes) to->h = from->v, to->v = from->h, to->columns = from->rows, to->rows = from->columns;
    for (int k = 0; k < 64; k++) to->quantization[k] = from->quantization[transposes ? k % 8 * 8 + k / 8 : k];
    for (int n = 0; n < to->columns * to->rows; n++) {
      int column = n % to->columns, row = n / to->columns;
      if (x) column = to->columns - 1 - column;
      if (y) row = to->rows - 1 - row;
      const int16_t *block = from->blocks[transposes ? column * from->columns + row : row * from->columns + column];
      for (int k = 0; k < 64; k++) {
        int value = block[transposes ? k % 8 * 8 + k / 8 : k];
        if (x && k % 2 == 1) value = -value;
        if (y && k / 8 % 2 == 1) value = -value;
        to->blocks[n][k] = value;
      }
    }
  }
}

static int same(const image *a, const image *b) {
  if (a->width != b->width || a->height != b->height || a->count != b->count) return 0;
  for (int i = 0; i < a->count; i++) {
    const component *one = &a->components[i], *other = &b->components[i];
    if (one->h != other->h || one->v != other->v || memcmp(one->quantization, other->quantization, 64) != 0) return 0;
    if (memcmp(one->blocks, other->blocks, sizeof(block) * one->columns * one->rows) != 0) return 0;
  }
  return 1;
}

/* Restores the original; NULL if that worked. */
static const char *restored(const upright_result *result, const uint8_t *file, size_t size) {
  size_t new_size, undo_size, restored_size;
  const uint8_t *bytes = upright_result_bytes(result, &new_size), *undo = upright_result_undo(result, &undo_size);
  if (undo == NULL) return "there is no undo data";
  upright_result *original = upright_undo(bytes, new_size, undo, undo_size, NULL, NULL);
  const uint8_t *back = upright_result_bytes(original, &restored_size);
  int is_same = back != NULL && restored_size == size && memcmp(back, file, size) == 0;
  upright_result_free(original);
  return is_same ? NULL : "undo does not restore the original";
}

static void try_image(const image *photo, const convention *how, int orientation, const char *world, long number, tally *t) {
  static image expected, found;
  uint8_t file[MAX_FILE];
  size_t size = encode(photo, how, orientation, file), new_size;
  int line = decode(file, size, &found);
  t->cases++;
  if (line || !same(photo, &found)) return fail(t, "the encoder and the decoder of this program disagree", world, number);
  upright_result *result = upright_normalize(file, size, NULL, NULL);
  const uint8_t *bytes = upright_result_bytes(result, &new_size);
  const char *message = NULL;
  if (upright_result_error_code(result) != NULL) message = upright_result_error_message(result);
  else if (bytes == NULL) message = orientation == 1 ? NULL : upright_result_report(result);
  else if (orientation == 1) message = "an upright photo is changed";
  else {
    t->changed++;
    transform(photo, orientation, &expected);
    line = decode(bytes, new_size, &found);
    if (line) message = "the result cannot be decoded";
    else if (!same(&expected, &found)) message = "the result has other coefficients";
    else message = restored(result, file, size);
  }
  if (message) fail(t, message, world, number);
  upright_result_free(result);
}

static void images(const shape *s, tally *t) {
  image photo;
  long number = 0;
  for (long pattern = 0; make_image(&photo, s, pattern); pattern++) {
    for (int n = 0; n < SCRIPTS * TABLES * 16; n++) {
      convention how = {n / (TABLES * 16), n / 16 % TABLES, n & 1, n >> 1 & 1, n >> 2 & 1, n >> 3 & 1};
      /* What makes no difference. */
      if (how.restart > 0 && s->columns * s->rows * s->h * s->v == 1) continue;
      if (how.eob_apart && how.script < 2) continue;
      if (how.script == 1 && s->count == 1) continue;
      /* The example tables have no symbols for runs of EOBs. */
      if (how.tables == EXAMPLE_TABLES && how.script > 1 && !how.eob_apart) continue;
      for (int orientation = 1; orientation <= 8; orientation++, number++) {
        if (failures >= max_failures) return;
        if (number % every == 0 && number / every % jobs == job) try_image(&photo, &how, orientation, s->name, number, t);
      }
    }
  }
}

/* -- The Exif blocks --------------------------------------------------------------------------------------------*/

typedef struct { int tag, type, count; uint32_t value; } entry;
enum { TAGS = 6, TYPES = 8, COUNTS = 4, VALUES = 2, ENTRIES = TAGS * TYPES * COUNTS * VALUES };
static const int tags[TAGS] = {0x100, 0x112, 0x112, 0x10F, 0x8769, 0x201};
static const int types[TYPES] = {3, 4, 1, 2, 7, 9, 0, 13};
static const int counts[COUNTS] = {1, 0, 2, 0x10000};
static const uint32_t values[VALUES] = {6, 26};

static void put_number(uint8_t *at, uint32_t value, int size, int is_little) {
  for (int i = 0; i < size; i++) at[is_little ? i : size - 1 - i] = value >> (8 * i);
}

static entry make_entry(int number) {
  entry e = {tags[number % TAGS], types[number / TAGS % TYPES], counts[number / TAGS / TYPES % COUNTS],
             values[number / TAGS / TYPES / COUNTS]};
  return e;
}

/* Whether a byte of the block may change: a value of Orientation or of a dimension. */
static int may_change(size_t place, const entry *entries, int count) {
  for (int i = 0; i < count; i++) {
    size_t value = 10 + 12 * i + 8;
    if (place >= value && place < value + 4 && (entries[i].tag == 0x112 || entries[i].tag == 0x100)) return 1;
  }
  return 0;
}

/* Whether nothing is odd: one Orientation, and others whose values are in their entries and not about the image. */
static int is_plain(const entry *entries, int count) {
  int orientations = 0;
  for (int i = 0; i < count; i++) {
    const entry *e = &entries[i];
    int size = e->type == 3 ? 2 : e->type == 4 || e->type == 9 || e->type == 13 ? 4 : 1;
    if (e->tag == 0x112 && e->type == 3 && e->count == 1 && e->value == 6) orientations++;
    else if ((e->tag != 0x10F && e->tag != 0x201) || e->type == 0 || (long)size * e->count > 4) return 0;
  }
  return orientations == 1;
}

static void try_exif(const uint8_t *plain, size_t plain_size, const entry *entries, int count, int is_little, long number, tally *t) {
  uint8_t file[MAX_FILE], block[128] = {0};
  size_t block_size = 10 + 12 * count + 4, new_size, head = 2 + 4 + 6;
  t->cases++;
  memcpy(block, is_little ? "II" : "MM", 2);
  put_number(block + 2, 42, 2, is_little), put_number(block + 4, 8, 4, is_little), put_number(block + 8, count, 2, is_little);
  for (int i = 0; i < count; i++) {
    uint8_t *at = block + 10 + 12 * i;
    int size = entries[i].type == 3 ? 2 : 4;
    put_number(at, entries[i].tag, 2, is_little), put_number(at + 2, entries[i].type, 2, is_little);
    put_number(at + 4, entries[i].count, 4, is_little), put_number(at + 8, entries[i].value, size, is_little);
  }
  /* The plain file has another Exif block, which this one replaces. */
  size_t rest = 2 + 2 + (plain[4] << 8 | plain[5]);
  memcpy(file, plain, 4), put_number(file + 4, 2 + 6 + block_size, 2, 0), memcpy(file + 6, "Exif\0\0", 6);
  memcpy(file + head, block, block_size), memcpy(file + head + block_size, plain + rest, plain_size - rest);
  size_t size = head + block_size + plain_size - rest;

  upright_result *result = upright_normalize(file, size, NULL, NULL);
  const uint8_t *bytes = upright_result_bytes(result, &new_size);
  const char *message = NULL;
  if (upright_result_error_code(result) != NULL || bytes == NULL) {
    t->refused++;
    if (is_plain(entries, count)) message = "a plain Orientation is not followed";
  } else {
    t->changed++;
    for (size_t i = 0; i < head + block_size && message == NULL; i++) {
      if (bytes[i] != file[i] && (i < head || !may_change(i - head, entries, count))) message = "another byte of the Exif block is changed";
    }
    if (message == NULL) message = restored(result, file, size);
  }
  if (message) fail(t, message, "Exif blocks", number);
  upright_result_free(result);
}

static void exif_blocks(tally *t) {
  image photo;
  convention how = {0, 0, 0, 1, 0, 0};
  uint8_t plain[MAX_FILE];
  make_image(&photo, &shapes[1], 40);
  size_t size = encode(&photo, &how, 1, plain);
  long number = 0;
  for (int little = 0; little < 2; little++) {
    for (int count = 0; count <= 3; count++) {
      /* Three entries: the first two of a smaller alphabet. */
      long cases = 1;
      for (int i = 0; i < count; i++) cases *= count == 3 && i < 2 ? ENTRIES / 8 : ENTRIES;
      for (long n = 0; n < cases; n++, number++) {
        if (failures >= max_failures) return;
        if (number % every != 0 || number / every % jobs != job) continue;
        entry entries[3];
        long left = n;
        for (int i = 0; i < count; i++) {
          int alphabet = count == 3 && i < 2 ? ENTRIES / 8 : ENTRIES;
          entries[i] = make_entry(left % alphabet), left /= alphabet;
        }
        try_exif(plain, size, entries, count, little, number, t);
      }
    }
  }
}

/* -- All worlds -------------------------------------------------------------------------------------------------*/

enum { SHAPES = sizeof shapes / sizeof shapes[0], WORLDS = SHAPES + 1 };

int main(int argc, char **argv) {
  const char *only = "";
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--every") == 0) every = atol(argv[i + 1]);
    else if (strcmp(argv[i], "--jobs") == 0) jobs = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--only") == 0) only = argv[i + 1];
    else if (strcmp(argv[i], "--max-failures") == 0) max_failures = atol(argv[i + 1]);
  }
  if (every < 1 || jobs < 1 || argc % 2 == 0) return fprintf(stderr, "usage: worlds [--every N] [--jobs N] [--only images|exif] [--max-failures N]\n"), 64;
  int ends[2];
  if (pipe(ends) != 0) return perror("pipe"), 2;
  for (job = 0; job < jobs; job++) {
    if (fork() != 0) continue;
    tally tallies[WORLDS] = {{0, 0, 0, 0}};
    for (int i = 0; i < SHAPES; i++) if (strcmp(only, "exif") != 0) images(&shapes[i], &tallies[i]);
    if (strcmp(only, "images") != 0) exif_blocks(&tallies[SHAPES]);
    _exit(write(ends[1], tallies, sizeof tallies) != sizeof tallies);
  }
  close(ends[1]);
  tally sums[WORLDS] = {{0, 0, 0, 0}}, tallies[WORLDS], all = {0, 0, 0, 0};
  int ended = 0;
  for (; read(ends[0], tallies, sizeof tallies) == sizeof tallies; ended++) {
    for (int i = 0; i < WORLDS; i++) {
      sums[i].cases += tallies[i].cases, sums[i].changed += tallies[i].changed;
      sums[i].refused += tallies[i].refused, sums[i].failed += tallies[i].failed;
    }
  }
  while (wait(NULL) > 0) continue;
  for (int i = 0; i < WORLDS; i++) {
    printf("%-34s %9ld cases, %9ld changed, %9ld not, %ld wrong\n", i < SHAPES ? shapes[i].name : "Exif blocks of up to 3 entries",
           sums[i].cases, sums[i].changed, sums[i].cases - sums[i].changed, sums[i].failed);
    all.cases += sums[i].cases, all.failed += sums[i].failed;
  }
  if (every > 1) printf("one case of %ld: ", every);
  printf("%ld cases in %d worlds, %ld wrong%s\n", all.cases, WORLDS, all.failed, ended < jobs ? "; a process ended early" : "");
  return all.failed > 0 || ended < jobs;
}
