/* Images of a few blocks, an encoder with every convention, and a decoder that follows T.81. */
#include <stddef.h>
#include <stdint.h>

enum { MAX_COMPONENTS = 3, MAX_BLOCKS = 8, MAX_FILE = 1 << 14 };

/* Coefficients in natural order: [row * 8 + column]. */
typedef int16_t block[64];

typedef struct {
  int h, v;                   /* sampling factors */
  int columns, rows;          /* in blocks */
  uint8_t quantization[64];   /* in natural order */
  block blocks[MAX_BLOCKS];
} component;

typedef struct {
  int width, height, count;
  component components[MAX_COMPONENTS];
} image;

enum { EXAMPLE_TABLES = 3 };

/* How an encoder may write the same coefficients. */
typedef struct {
  int script;      /* 0 interleaved, 1 a scan for each component; from 2 on progressive */
  int tables;      /* 0 short codes, 1 long codes, 2 only the symbols that are used, EXAMPLE_TABLES those of T.81, annex K */
  int restart;     /* MCUs between restart markers; 0 for none */
  int padding;     /* the bits before a marker, 0 or 1 */
  int zero_runs;   /* ZRL codes before an EOB where there is room for them */
  int eob_apart;   /* each EOB of a progressive scan has a code of its own */
} convention;

enum { SCRIPTS = 6, TABLES = 4 };

/* Writes a JPEG file with an Orientation tag; returns its size. */
size_t encode(const image *image, const convention *convention, int orientation, uint8_t *file);

/* Reads a JPEG file; returns 0, or the line of the decoder that did not understand it. */
int decode(const uint8_t *file, size_t size, image *image);

/* T.81, figure A.6. */
extern const uint8_t zigzag[64];
