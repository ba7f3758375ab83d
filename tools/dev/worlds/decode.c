/* A decoder as short as T.81 allows: one bit after the other, no tables, every scan into the whole image. */
#include <string.h>

#include "worlds.h"

#define REQUIRE(condition) do { if (!(condition)) return __LINE__; } while (0)

const uint8_t zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                            41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                            30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

typedef struct { uint8_t counts[17], symbols[256]; } table;
typedef struct { const uint8_t *at, *end; int bit, failed; } bits;
typedef struct { int components[3], tables[3], count, start, end, high, low; } scan;

static int next(bits *b) {
  if (b->at >= b->end || (b->at[0] == 0xFF && b->at[1] != 0)) return b->failed = 1, 0;
  int value = b->at[0] >> (7 - b->bit) & 1;
  if (++b->bit == 8) b->at += b->at[0] == 0xFF ? 2 : 1, b->bit = 0;
  return value;
}

static int receive(bits *b, int count) {
  int value = 0;
  while (count-- > 0) value = 2 * value + next(b);
  return value;
}

/* Skips the padding of a byte that was read in part. */
static void align(bits *b) {
  if (b->bit > 0) b->at += b->at[0] == 0xFF ? 2 : 1, b->bit = 0;
}

/* F.2.2.1: a value of a category. */
static int extend(bits *b, int category) {
  int value = receive(b, category);
  return category > 0 && value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
}

/* F.2.2.3: codes of one length are consecutive. */
static int symbol(bits *b, const table *t) {
  int code = 0, first = 0, index = 0;
  for (int length = 1; length <= 16; length++) {
    code = 2 * code + next(b), first *= 2;
    if (code - first < t->counts[length]) return t->symbols[index + code - first];
    index += t->counts[length], first += t->counts[length];
  }
  return b->failed = 1, 0;
}

/* G.1.2.3: a coefficient that is not zero has one more bit. */
static void refine(bits *b, int16_t *value, int bit) {
  if (next(b)) *value += *value > 0 ? bit : -bit;
}

static void decode_block(bits *b, const scan *s, block block, int *prediction, int *run, const table *dc, const table *ac) {
  int k = s->start, bit = 1 << s->low;
  if (k == 0 && s->high == 0) block[0] = (*prediction += extend(b, symbol(b, dc))) * bit, k = 1;
  else if (k == 0) block[0] |= next(b) * bit, k = 1;
  if (*run > 0) {
    --*run;
    for (; s->high > 0 && k <= s->end; k++) if (block[zigzag[k]] != 0) refine(b, &block[zigzag[k]], bit);
    return;
  }
  while (k <= s->end && !b->failed) {
    int code = symbol(b, ac), zeros = code >> 4, category = code & 15, value = 0;
    if (category == 0 && zeros < 15) {
      *run = (1 << zeros) + receive(b, zeros);
      --*run;
      for (; s->high > 0 && k <= s->end; k++) if (block[zigzag[k]] != 0) refine(b, &block[zigzag[k]], bit);
      return;
    }
    if (category > 0) value = s->high > 0 ? (next(b) ? bit : -bit) : extend(b, category) * bit;
    for (; k <= s->end; k++) {
      if (s->high > 0 && block[zigzag[k]] != 0) refine(b, &block[zigzag[k]], bit);
      else if (zeros-- == 0) break;
    }
    if (k > s->end) return (void)(b->failed = 1);
    if (value != 0) block[zigzag[k]] = value;
    k++;
  }
}

static int decode_scan(bits *b, const scan *s, image *image, int restart, const table *dc, const table *ac) {
  const component *first = &image->components[s->components[0]];
  int is_single = s->count == 1, prediction[3] = {0}, run = 0;
  int columns = is_single ? first->columns : first->columns / first->h, rows = is_single ? first->rows : first->rows / first->v;
  for (int mcu = 0; mcu < columns * rows; mcu++) {
    if (restart > 0 && mcu > 0 && mcu % restart == 0) {
      align(b);
      REQUIRE(b->at[0] == 0xFF && b->at[1] == 0xD0 + (mcu / restart - 1) % 8);
      b->at += 2, run = 0, memset(prediction, 0, sizeof prediction);
    }
    for (int i = 0; i < s->count; i++) {
      component *c = &image->components[s->components[i]];
      int h = is_single ? 1 : c->h, v = is_single ? 1 : c->v;
      for (int n = 0; n < h * v; n++) {
        int column = mcu % columns * h + n % h, row = mcu / columns * v + n / h;
        decode_block(b, s, c->blocks[row * c->columns + column], &prediction[i], &run, &dc[s->tables[i] >> 4], &ac[s->tables[i] & 15]);
        REQUIRE(!b->failed);
      }
    }
  }
  return 0;
}

int decode(const uint8_t *file, size_t size, image *image) {
  const uint8_t *end = file + size, *at = file + 2;
  static _Thread_local table dc[16], ac[16];
  uint8_t quantization[4][64], selectors[3], ids[3];
  int restart = 0, is_progressive = 0;
  memset(image, 0, sizeof *image);
  while (at + 4 <= end && at[1] != 0xD9) {
    REQUIRE(at[0] == 0xFF);
    const uint8_t *p = at + 4, *stop = at + 2 + (at[2] << 8 | at[3]);
    REQUIRE(stop <= end);
    switch (at[1]) {
    case 0xDB: for (; p < stop; p += 65) for (int k = 0; k < 64; k++) quantization[p[0] & 3][zigzag[k]] = p[1 + k]; break;
    case 0xDD: restart = p[0] << 8 | p[1]; break;
    case 0xC4:
      while (p < stop) {
        table *t = &(p[0] >> 4 ? ac : dc)[p[0] & 15];
        int count = 0;
        for (int length = 1; length <= 16; length++) count += t->counts[length] = p[length];
        REQUIRE(count <= 256 && p + 17 + count <= stop);
        memcpy(t->symbols, p + 17, count), p += 17 + count;
      }
      break;
    case 0xC0: case 0xC1: case 0xC2: {
      int h = 1, v = 1;
      is_progressive = at[1] == 0xC2;
      image->height = p[1] << 8 | p[2], image->width = p[3] << 8 | p[4], image->count = p[5];
      REQUIRE(image->count <= MAX_COMPONENTS);
      for (int i = 0; i < image->count; i++) {
        component *c = &image->components[i];
        ids[i] = p[6 + 3 * i], c->h = p[7 + 3 * i] >> 4, c->v = p[7 + 3 * i] & 15, selectors[i] = p[8 + 3 * i] & 3;
        if (c->h > h) h = c->h;
        if (c->v > v) v = c->v;
      }
      REQUIRE(image->width % (8 * h) == 0 && image->height % (8 * v) == 0);
      for (int i = 0; i < image->count; i++) {
        component *c = &image->components[i];
        c->columns = image->width / (8 * h) * c->h, c->rows = image->height / (8 * v) * c->v;
        if (image->count == 1) c->columns = image->width / 8, c->rows = image->height / 8, c->h = c->v = 1;
        REQUIRE(c->columns * c->rows <= MAX_BLOCKS);
      }
      break;
    }
    case 0xDA: {
      scan s = {.count = p[0]};
      REQUIRE(s.count <= image->count);
      for (int i = 0; i < s.count; i++)
        for (int c = 0; c < image->count; c++) if (ids[c] == p[1 + 2 * i]) s.components[i] = c, s.tables[i] = p[2 + 2 * i];
      p += 1 + 2 * s.count, s.start = p[0], s.end = is_progressive ? p[1] : 63, s.high = p[2] >> 4, s.low = p[2] & 15;
      bits b = {stop, end, 0, 0};
      int line = decode_scan(&b, &s, image, restart, dc, ac);
      if (line) return line;
      align(&b);
      stop = b.at;
      break;
    }
    }
    at = stop;
  }
  REQUIRE(at + 2 == end && at[0] == 0xFF);
  for (int i = 0; i < image->count; i++) memcpy(image->components[i].quantization, quantization[selectors[i]], 64);
  return 0;
}
