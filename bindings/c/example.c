/*
 * Makes a photo upright and prints the report.
 *
 *   cc example.c $(pkg-config --cflags --libs upright) -o example
 *   ./example photo.jpg upright.jpg
 */
#include <stdio.h>
#include <stdlib.h>
#include <upright.h>

/* Returns the bytes of a file, which the caller frees; NULL if it cannot be read. */
static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  uint8_t *bytes = NULL;
  size_t capacity = 0, count = 1;
  *size = 0;
  while (count > 0) {
    if (*size == capacity) {
      capacity = 2 * capacity + 65536;
      uint8_t *larger = realloc(bytes, capacity);
      if (larger == NULL) {
        free(bytes);
        bytes = NULL;
        break;
      }
      bytes = larger;
    }
    count = fread(bytes + *size, 1, capacity - *size, file);
    *size += count;
  }
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: example PHOTO RESULT\n");
    return 64;
  }
  size_t size;
  uint8_t *photo = read_file(argv[1], &size);
  if (photo == NULL) {
    perror(argv[1]);
    return 2;
  }
  const char *const options[] = {"path", argv[1], "time-limit", "30000", NULL};
  upright_result *result = upright_normalize(photo, size, options, NULL);
  int status = 0;
  if (upright_result_error_code(result) != NULL) {
    fprintf(stderr, "%s: %s\n", argv[1], upright_result_error_message(result));
    status = 2;
  } else {
    /* An unchanged photo has no new bytes. */
    size_t new_size;
    const uint8_t *bytes = upright_result_bytes(result, &new_size);
    if (bytes == NULL) {
      bytes = photo;
      new_size = size;
    }
    FILE *file = fopen(argv[2], "wb");
    size_t written = file == NULL ? 0 : fwrite(bytes, 1, new_size, file);
    if (file == NULL || fclose(file) != 0 || written != new_size) {
      perror(argv[2]);
      status = 2;
    }
  }
  puts(upright_result_report(result));
  upright_result_free(result);
  free(photo);
  return status;
}
