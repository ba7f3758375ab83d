/* What an audit cannot do without: opens each file that standard input names, reads its segments up to the frame
   header, and closes it. A measure for `benchmark audit`. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned char buffer[4096];
static long start, length;

/* The `count` bytes of the file at `offset`; NULL where it ends before. */
static const unsigned char *bytes(int file, long offset, long count) {
  if (offset < start || offset + count > start + length) {
    start = offset;
    length = pread(file, buffer, sizeof buffer, offset);
  }
  return offset + count <= start + length ? buffer + (offset - start) : NULL;
}

int main(void) {
  static char path[4096];
  long files = 0, pixels = 0;
  while (fgets(path, sizeof path, stdin)) {
    path[strcspn(path, "\n")] = 0;
    int file = open(path, O_RDONLY);
    if (file < 0) continue;
    start = length = 0;
    const unsigned char *segment;
    for (long offset = 2; (segment = bytes(file, offset, 9)) && segment[0] == 0xFF;) {
      int marker = segment[1];
      if (marker == 0xFF) {
        offset += 1;
        continue;
      }
      if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) {
        files += 1;
        pixels += (segment[5] << 8 | segment[6]) * (segment[7] << 8 | segment[8]);
        break;
      }
      if (marker == 0xD9 || marker == 0xDA) break;
      offset += 2 + (segment[2] << 8 | segment[3]);
    }
    close(file);
  }
  printf("%ld files, %ld pixels\n", files, pixels);
  return 0;
}
