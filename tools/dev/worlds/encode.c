/* An encoder that writes the same coefficients in every way that a convention names. */
#include <stdlib.h>
#include <string.h>

#include "worlds.h"

typedef struct {
  uint8_t *at;
  uint32_t buffer;
  int count, padding;
  int collects;                        /* only counts symbols */
  int destination;                     /* of the tables of the current component */
  /* By class and destination: [2 * destination + class]. */
  uint16_t codes[4][256];
  uint8_t lengths[4][256], used[4][256];
  uint8_t counts[4][17], symbols[4][256];
} writer;

static void put(writer *w, uint32_t value, int count) {
  if (w->collects) return;
  while (count-- > 0) {
    w->buffer = w->buffer << 1 | (value >> count & 1);
    if (++w->count == 8) {
      *w->at++ = w->buffer;
      if ((w->buffer & 0xFF) == 0xFF) *w->at++ = 0;
      w->count = 0;
    }
  }
}

static void put_symbol(writer *w, int class, int symbol) {
  int table = 2 * w->destination + class;
  w->used[table][symbol] = 1;
  put(w, w->codes[table][symbol], w->lengths[table][symbol]);
}

/* The tables of a component: the example tables are for luminance and for chrominance. */
static int destination(const convention *how, int component) { return how->tables == EXAMPLE_TABLES && component > 0; }

static void pad(writer *w) {
  while (w->count > 0) put(w, w->padding, 1);
}

static int category(int value) {
  int bits = 0;
  for (value = abs(value); value > 0; value >>= 1) bits++;
  return bits;
}

static void put_value(writer *w, int value, int bits) { put(w, value < 0 ? value - 1 : value, bits); }

/* A scan of one encoding procedure: what is kept from block to block. */
typedef struct {
  int start, end, high, low;
  int prediction[3];
  int run, correction_count;
  uint8_t corrections[64 * MAX_BLOCKS];
} scan;

static void flush_run(writer *w, scan *s) {
  int bits = 0;
  if (s->run > 0) {
    while (s->run >> (bits + 1) > 0) bits++;
    put_symbol(w, 1, bits << 4);
    put(w, s->run, bits);
  }
  for (int i = 0; i < s->correction_count; i++) put(w, s->corrections[i], 1);
  s->run = s->correction_count = 0;
}

static void put_coefficients(writer *w, scan *s, const int16_t *block, const convention *how, int is_progressive) {
  int zeros = 0, k = s->start > 0 ? s->start : 1, last = k - 1;
  for (; k <= s->end; k++) {
    int value = block[zigzag[k]];
    value = value < 0 ? -(-value >> s->low) : value >> s->low;
    if (value == 0) {
      zeros++;
      continue;
    }
    flush_run(w, s);
    for (; zeros > 15; zeros -= 16) put_symbol(w, 1, 0xF0);
    put_symbol(w, 1, zeros << 4 | category(value));
    put_value(w, value, category(value));
    zeros = 0, last = k;
  }
  if (zeros == 0) return;
  /* At least one position is left after each ZRL. */
  for (int i = 1; i <= how->zero_runs && last + 16 * i < s->end; i++) flush_run(w, s), put_symbol(w, 1, 0xF0);
  if (!is_progressive) return put_symbol(w, 1, 0);
  s->run++;
  if (how->eob_apart) flush_run(w, s);
}

static void refine_coefficients(writer *w, scan *s, const int16_t *block, const convention *how) {
  uint8_t own[64];
  int zeros = 0, count = 0, last = -1;
  for (int k = s->start; k <= s->end; k++) if (abs(block[zigzag[k]]) >> s->low == 1) last = k;
  for (int k = s->start; k <= s->end; k++) {
    int value = block[zigzag[k]], size = abs(value) >> s->low;
    if (size == 0) {
      zeros++;
      continue;
    }
    while (zeros > 15 && k <= last) {
      flush_run(w, s), put_symbol(w, 1, 0xF0), zeros -= 16;
      for (int i = 0; i < count; i++) put(w, own[i], 1);
      count = 0;
    }
    if (size > 1) {
      own[count++] = size & 1;
      continue;
    }
    flush_run(w, s), put_symbol(w, 1, zeros << 4 | 1), put(w, value > 0, 1);
    for (int i = 0; i < count; i++) put(w, own[i], 1);
    zeros = count = 0;
  }
  if (zeros == 0 && count == 0) return;
  s->run++;
  memcpy(s->corrections + s->correction_count, own, count), s->correction_count += count;
  if (how->eob_apart) flush_run(w, s);
}

static void segment(writer *w, int marker, const uint8_t *payload, int size) {
  if (w->collects) return;
  uint8_t head[] = {0xFF, marker, (size + 2) >> 8, (size + 2) & 0xFF};
  memcpy(w->at, head, 4), memcpy(w->at + 4, payload, size), w->at += 4 + size;
}

static void put_scan(writer *w, const image *image, const convention *how, int mask, int start, int end, int high, int low) {
  int is_progressive = how->script > 1, count = 0, list[3];
  uint8_t header[16];
  scan s = {.start = start, .end = end, .high = high, .low = low};
  for (int c = 0; c < image->count; c++) if (mask >> c & 1) {
    header[1 + 2 * count] = c + 1, header[2 + 2 * count] = 0x11 * destination(how, c), list[count++] = c;
  }
  header[0] = count;
  header[1 + 2 * count] = start, header[2 + 2 * count] = end, header[3 + 2 * count] = high << 4 | low;
  segment(w, 0xDA, header, 4 + 2 * count);
  const component *first = &image->components[list[0]];
  int columns = first->columns / (count > 1 ? first->h : 1), rows = first->rows / (count > 1 ? first->v : 1);
  for (int mcu = 0; mcu < columns * rows; mcu++) {
    if (how->restart > 0 && mcu > 0 && mcu % how->restart == 0) {
      flush_run(w, &s), pad(w);
      if (!w->collects) *w->at++ = 0xFF, *w->at++ = 0xD0 + (mcu / how->restart - 1) % 8;
      memset(s.prediction, 0, sizeof s.prediction);
    }
    for (int i = 0; i < count; i++) {
      const component *c = &image->components[list[i]];
      w->destination = destination(how, list[i]);
      int h = count > 1 ? c->h : 1, v = count > 1 ? c->v : 1;
      for (int n = 0; n < h * v; n++) {
        const int16_t *block = c->blocks[(mcu / columns * v + n / h) * c->columns + mcu % columns * h + n % h];
        if (start == 0 && high > 0) put(w, block[0] >> low & 1, 1);
        if (start == 0 && high == 0) {
          int difference = (block[0] >> low) - s.prediction[i];
          s.prediction[i] = block[0] >> low;
          put_symbol(w, 0, category(difference)), put_value(w, difference, category(difference));
        }
        if (end == 0) continue;
        if (high > 0) refine_coefficients(w, &s, block, how);
        else put_coefficients(w, &s, block, how, is_progressive);
      }
    }
  }
  flush_run(w, &s), pad(w);
}

static void put_scans(writer *w, const image *image, const convention *how) {
  int all = (1 << image->count) - 1;
#define EACH(start, end, high, low) for (int c = 0; c < image->count; c++) put_scan(w, image, how, 1 << c, start, end, high, low)
  switch (how->script) {
  case 0: put_scan(w, image, how, all, 0, 63, 0, 0); break;
  case 1: EACH(0, 63, 0, 0); break;
  case 2: put_scan(w, image, how, all, 0, 0, 0, 0); EACH(1, 63, 0, 0); break;
  case 3: put_scan(w, image, how, all, 0, 0, 0, 1); EACH(1, 63, 0, 1); put_scan(w, image, how, all, 0, 0, 1, 0); EACH(1, 63, 1, 0); break;
  case 4: EACH(0, 0, 0, 0); EACH(6, 63, 0, 0); EACH(1, 5, 0, 0); break;
  case 5: put_scan(w, image, how, all, 0, 0, 0, 0); EACH(1, 5, 0, 2); EACH(6, 63, 0, 1); EACH(1, 5, 2, 1); EACH(1, 63, 1, 0); break;
  }
}

/* Codes in the order of their lengths (T.81, annex C). */
static void make_codes(writer *w, int table) {
  int code = 0, index = 0;
  for (int length = 1; length <= 16; length++, code <<= 1) {
    for (int i = 0; i < w->counts[table][length]; i++, code++, index++) {
      w->codes[table][w->symbols[table][index]] = code;
      w->lengths[table][w->symbols[table][index]] = length;
    }
  }
}

/* The tables of T.81, K.3.3, by class and destination. The codes of 16 bits are in the order of their symbols. */
static const uint8_t example_counts[4][17] = {
  {0, 0, 1, 5, 1, 1, 1, 1, 1, 1}, {0, 0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125},
  {0, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119},
};
static const uint8_t short_codes[4][44] = {
  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
  {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71, 0x14,
   0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72, 0x82},
  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
  {0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14,
   0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1},
};

static void make_example_table(writer *w, int table) {
  int count = 0;
  uint8_t is_short[256] = {0};
  memcpy(w->counts[table], example_counts[table], 17);
  for (int length = 1; length < 16; length++) count += w->counts[table][length];
  memcpy(w->symbols[table], short_codes[table], count);
  for (int i = 0; i < count; i++) is_short[short_codes[table][i]] = 1;
  if (table % 2 == 0) return;
  for (int symbol = 1; symbol < 256; symbol++)
    if (symbol % 16 > 0 && symbol % 16 <= 10 && !is_short[symbol]) w->symbols[table][count++] = symbol;
}

static void make_tables(writer *w, const convention *how) {
  memset(w->counts, 0, sizeof w->counts);
  for (int table = 0; how->tables == EXAMPLE_TABLES && table < 4; table++) make_example_table(w, table), make_codes(w, table);
  for (int class = 0; how->tables != EXAMPLE_TABLES && class < 2; class++) {
    int size = class == 0 ? 12 : 256, count = 0;
    for (int symbol = 0; symbol < size; symbol++) if (how->tables < 2 || w->used[class][symbol]) w->symbols[class][count++] = symbol;
    if (count == 0) w->symbols[class][count++] = 0;
    if (how->tables == 0) {
      w->counts[class][class == 0 ? 4 : 8] = class == 0 ? 12 : 250;
      if (class == 1) w->counts[class][11] = 6;
    } else if (how->tables == 1) {
      /* The first symbol has a short code, all others have the longest. */
      w->counts[class][1] = 1, w->counts[class][16] = count - 1;
    } else {
      int length = 1;
      while ((1 << length) - 1 < count) length++;
      w->counts[class][length] = count;
    }
    make_codes(w, class);
  }
}

size_t encode(const image *image, const convention *how, int orientation, uint8_t *file) {
  static const uint8_t exif[] = {'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  uint8_t payload[300];
  writer w = {.at = file, .padding = how->padding, .collects = 1};
  put_scans(&w, image, how);
  w.collects = 0;
  make_tables(&w, how);

  *w.at++ = 0xFF, *w.at++ = 0xD8;
  memcpy(payload, exif, sizeof exif), payload[25] = orientation;
  segment(&w, 0xE1, payload, sizeof exif);
  for (int c = 0; c < image->count; c++) {
    payload[0] = c;
    for (int k = 0; k < 64; k++) payload[1 + k] = image->components[c].quantization[zigzag[k]];
    segment(&w, 0xDB, payload, 65);
  }
  uint8_t frame[] = {8, image->height >> 8, image->height & 0xFF, image->width >> 8, image->width & 0xFF, image->count};
  memcpy(payload, frame, 6);
  for (int c = 0; c < image->count; c++) {
    payload[6 + 3 * c] = c + 1, payload[8 + 3 * c] = c;
    payload[7 + 3 * c] = image->components[c].h << 4 | image->components[c].v;
  }
  segment(&w, how->script > 1 ? 0xC2 : 0xC1, payload, 6 + 3 * image->count);
  int tables = 2 + 2 * destination(how, image->count - 1);
  for (int table = 0; table < tables; table++) {
    int count = 0;
    payload[0] = table % 2 << 4 | table / 2;
    for (int length = 1; length <= 16; length++) count += payload[length] = w.counts[table][length];
    memcpy(payload + 17, w.symbols[table], count);
    segment(&w, 0xC4, payload, 17 + count);
  }
  if (how->restart > 0) payload[0] = 0, payload[1] = how->restart, segment(&w, 0xDD, payload, 2);
  put_scans(&w, image, how);
  *w.at++ = 0xFF, *w.at++ = 0xD9;
  return w.at - file;
}
