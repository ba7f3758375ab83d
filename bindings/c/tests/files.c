/*
 * Calls the functions of libupright on photos on disk.
 *
 *   ./files portrait.jpg FOLDER    an aligned photo with Orientation 6; a folder that is empty, on a file system with
 *                                  extended attributes
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <upright.h>

static int failures = 0;
static uint8_t *photo;
static size_t photo_size;

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void expect(int condition, const char *text, int line) {
  if (condition) return;
  fprintf(stderr, "files.c:%d: not so: %s\n", line, text);
  failures++;
}

static const char sidecar[] =
  "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
  "<rdf:Description rdf:about='' xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='6'/></rdf:RDF></x:xmpmeta>";

static void put(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

/* Whether a file has these bytes. */
static int holds(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return 0;
  uint8_t *found = malloc(size + 1);
  size_t count = fread(found, 1, size + 1, file);
  fclose(file);
  int same = count == size && memcmp(found, bytes, size) == 0;
  free(found);
  return same;
}

static int says(const upright_result *result, const char *text) {
  return strstr(upright_result_report(result), text) != NULL;
}

static int has_error(const upright_result *result, const char *code) {
  const char *found = upright_result_error_code(result);
  if (found == NULL || strcmp(found, code) != 0) {
    fprintf(stderr, "%s\n", upright_result_report(result));
    return 0;
  }
  return upright_result_error_message(result)[0] != 0 && says(result, code);
}

static int has_status(const upright_result *result, const char *status) {
  int same = strcmp(upright_result_status(result), status) == 0 && upright_result_bytes(result, NULL) == NULL;
  if (!same) fprintf(stderr, "%s\n", upright_result_report(result));
  return same;
}

/* A photo with a sidecar comes and goes with all that belongs to it. */
static void test_rewrite_and_restore(void) {
  put("a.jpg", photo, photo_size);
  put("a.xmp", sidecar, sizeof sidecar - 1);
  EXPECT(chmod("a.jpg", 0640) == 0);
  int has_attributes = setxattr("a.jpg", "user.rating", "5", 1, 0) == 0;
  struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000, .tv_nsec = 5}};
  EXPECT(utimensat(AT_FDCWD, "a.jpg", times, 0) == 0);

  upright_result *result = upright_plan_file("a.jpg", NULL, NULL, NULL);
  EXPECT(has_status(result, "planned") && says(result, "\"action\":\"update\",\"done\":false"));
  EXPECT(holds("a.jpg", photo, photo_size) && holds("a.xmp", sidecar, sizeof sidecar - 1));
  upright_result_free(result);
  static const char *const dry[] = {"dry-run", "true", NULL};
  result = upright_rotate_file("a.jpg", NULL, "dry.ndjson", 90, dry, NULL);
  EXPECT(has_status(result, "planned") && access("dry.ndjson", F_OK) != 0);
  EXPECT(holds("a.jpg", photo, photo_size));
  upright_result_free(result);

  result = upright_normalize_file("a.jpg", NULL, "record.ndjson", NULL, NULL);
  EXPECT(has_status(result, "normalized") && strcmp(upright_result_transform(result), "rotate-90") == 0);
  EXPECT(says(result, "\"action\":\"update\",\"done\":true") && says(result, "\"path\":\"a.jpg\""));
  EXPECT(upright_result_width(result) == 320 && upright_result_height(result) == 480);
  EXPECT(upright_result_undo(result, NULL) == NULL && upright_result_error_code(result) == NULL);
  upright_result_free(result);
  struct stat status;
  char rating[2] = "";
  EXPECT(!holds("a.jpg", photo, photo_size) && !holds("a.xmp", sidecar, sizeof sidecar - 1));
  EXPECT(stat("a.jpg", &status) == 0 && (status.st_mode & 0777) == 0640);
  EXPECT(status.st_mtim.tv_sec == 1000000000 || status.st_mtim.tv_sec == 1000000001);
  if (has_attributes) EXPECT(getxattr("a.jpg", "user.rating", rating, 1) == 1 && rating[0] == '5');

  /* The record is of its place and of its content. */
  EXPECT(rename("a.jpg", "moved.jpg") == 0 && rename("a.xmp", "moved.xmp") == 0);
  result = upright_restore_file("moved.jpg", NULL, "record.ndjson", NULL, NULL);
  EXPECT(has_status(result, "restored") && says(result, "\"action\":\"restore\",\"done\":true"));
  EXPECT(holds("moved.jpg", photo, photo_size) && holds("moved.xmp", sidecar, sizeof sidecar - 1));
  upright_result_free(result);
  EXPECT(stat("moved.jpg", &status) == 0 && (status.st_mode & 0777) == 0640);
  EXPECT(status.st_mtim.tv_sec == 1000000000 && status.st_mtim.tv_nsec == 5);
  result = upright_restore_file("moved.jpg", NULL, "record.ndjson", NULL, NULL);
  EXPECT(has_status(result, "unchanged"));
  upright_result_free(result);
}

static void test_outputs(void) {
  put("b.jpg", photo, photo_size);
  put("b.xmp", sidecar, sizeof sidecar - 1);
  upright_result *result = upright_normalize_file("b.jpg", "out.jpg", NULL, NULL, NULL);
  EXPECT(has_status(result, "normalized") && says(result, "\"output\":\"out.jpg\""));
  EXPECT(holds("b.jpg", photo, photo_size) && access("out.jpg", F_OK) == 0 && access("out.xmp", F_OK) == 0);
  upright_result_free(result);
  result = upright_flip_file("b.jpg", "out.jpg", NULL, UPRIGHT_VERTICAL, NULL, NULL);
  EXPECT(has_error(result, "exists"));
  upright_result_free(result);
  static const char *const overwrite[] = {"overwrite", "true", "sidecars", "ignore", NULL};
  result = upright_flip_file("b.jpg", "out.jpg", NULL, UPRIGHT_VERTICAL, overwrite, NULL);
  EXPECT(has_status(result, "flipped"));
  upright_result_free(result);
  upright_rectangle part = {.x = 0, .y = 0, .width = 64, .height = 64};
  result = upright_crop_file("b.jpg", "cropped.jpg", part, NULL, NULL);
  EXPECT(has_status(result, "cropped") && upright_result_width(result) == 64);
  upright_result_free(result);
  static const char *const embed[] = {"embed-undo", "true", "sidecars", "ignore", "backup", ".orig", NULL};
  result = upright_rotate_file("b.jpg", NULL, NULL, 180, embed, NULL);
  EXPECT(has_status(result, "rotated") && holds("b.jpg.orig", photo, photo_size));
  upright_result_free(result);
  result = upright_restore_file("b.jpg", "original.jpg", NULL, NULL, NULL);
  EXPECT(has_status(result, "restored") && holds("original.jpg", photo, photo_size));
  upright_result_free(result);
}

static void test_skips_and_errors(void) {
  put("c.jpg", photo, photo_size);
  EXPECT(link("c.jpg", "d.jpg") == 0);
  upright_result *result = upright_normalize_file("c.jpg", NULL, NULL, NULL, NULL);
  EXPECT(has_status(result, "skipped") && says(result, "\"id\":\"hard-linked\"") && holds("d.jpg", photo, photo_size));
  EXPECT(upright_result_error_code(result) == NULL);
  upright_result_free(result);
  static const char *const broken[] = {"hard-links", "break", NULL};
  result = upright_normalize_file("c.jpg", NULL, NULL, broken, NULL);
  EXPECT(has_status(result, "normalized") && holds("d.jpg", photo, photo_size) && !holds("c.jpg", photo, photo_size));
  upright_result_free(result);

  struct {
    upright_result *result;
    const char *code;
  } cases[] = {
    {upright_normalize_file("none.jpg", NULL, NULL, NULL, NULL), "not-found"},
    {upright_normalize_file(NULL, NULL, NULL, NULL, NULL), "argument"},
    {upright_normalize_file("d.jpg", NULL, NULL, (const char *const[]){"sidecars", "sink", NULL}, NULL), "unknown-value"},
    {upright_normalize_file("d.jpg", NULL, NULL, (const char *const[]){"backup", "a/b", NULL}, NULL), "unknown-value"},
    {upright_normalize_file("d.jpg", NULL, NULL, (const char *const[]){"path", "d", NULL}, NULL), "unknown-option"},
    {upright_restore_file("d.jpg", NULL, NULL, (const char *const[]){"sidecars", "ignore", NULL}, NULL), "unknown-option"},
    {upright_normalize_file("d.jpg", NULL, NULL, (const char *const[]){"without-sidecars", "true", NULL}, NULL), "unknown-option"},
    {upright_restore_file("d.jpg", NULL, "d.jpg", NULL, NULL), "not-record"},
    {upright_normalize_file("d.jpg", NULL, "d.xmp", NULL, NULL), "argument"},
    {upright_normalize_file("d.jpg", "o.jpg", "o.xmp", NULL, NULL), "argument"},
    {upright_normalize_file("d.jpg", NULL, "d.jpg", NULL, NULL), "not-record"},
    {upright_normalize_file("d.jpg", NULL, "none/record", NULL, NULL), "not-found"},
    {upright_restore_file("d.jpg", NULL, "none.ndjson", NULL, NULL), "not-found"},
    {upright_rotate_file("d.jpg", NULL, NULL, 45, NULL, NULL), "argument"},
    {upright_flip_file("d.jpg", NULL, NULL, 4, NULL, NULL), "argument"},
    {upright_normalize_file(".", NULL, NULL, NULL, NULL), "is-directory"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    EXPECT(has_error(cases[i].result, cases[i].code) && has_status(cases[i].result, "failed"));
    upright_result_free(cases[i].result);
  }
  upright_result *empty[] = {
    upright_normalize_file("", NULL, NULL, NULL, NULL),
    upright_normalize_file("d.jpg", "", NULL, NULL, NULL),
    upright_normalize_file("d.jpg", NULL, "", NULL, NULL),
  };
  for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
    EXPECT(has_error(empty[i], "not-found") && strstr(upright_result_error_message(empty[i]), "is empty") != NULL);
    upright_result_free(empty[i]);
  }
  result = upright_restore_file("d.jpg", NULL, NULL, NULL, NULL);
  EXPECT(has_status(result, "skipped") && says(result, "no-undo-data"));
  upright_result_free(result);

  put("cut.jpg", photo, photo_size / 2);
  result = upright_normalize_file("cut.jpg", NULL, NULL, NULL, NULL);
  EXPECT(has_error(result, "truncated") && upright_result_error_offset(result) > 0);
  EXPECT(strstr(upright_result_error_message(result), "at byte") == NULL && holds("cut.jpg", photo, photo_size / 2));
  upright_result_free(result);

  upright_cancellation *cancellation = upright_cancellation_create();
  upright_cancellation_cancel(cancellation);
  result = upright_normalize_file("d.jpg", NULL, NULL, NULL, cancellation);
  EXPECT(has_error(result, "cancelled") && holds("d.jpg", photo, photo_size));
  upright_result_free(result);
  upright_results *results = upright_normalize_folder(".", NULL, 0, NULL, cancellation);
  EXPECT(upright_results_next(results) == NULL && upright_results_next(results) == NULL);
  EXPECT(has_error(upright_results_error(results), "cancelled"));
  upright_results_free(results);
  upright_cancellation_free(cancellation);
}

/* A photo is restored although its sidecar cannot be. */
static void test_restoration_without_sidecars(void) {
  put("e.jpg", photo, photo_size);
  put("e.xmp", sidecar, sizeof sidecar - 1);
  upright_result *result = upright_normalize_file("e.jpg", NULL, "e.ndjson", NULL, NULL);
  EXPECT(has_status(result, "normalized"));
  upright_result_free(result);
  put("e.xmp", "changed", 7);
  result = upright_restore_file("e.jpg", NULL, "e.ndjson", NULL, NULL);
  EXPECT(has_status(result, "skipped") && says(result, "sidecar-changed") && says(result, "\"without-sidecars\""));
  upright_result_free(result);
  static const char *const alone[] = {"without-sidecars", "true", NULL};
  result = upright_restore_file("e.jpg", NULL, "e.ndjson", alone, NULL);
  EXPECT(has_status(result, "restored") && holds("e.jpg", photo, photo_size) && holds("e.xmp", "changed", 7));
  upright_result_free(result);
}

/* Undo data in the photos comes and goes with all of a folder. */
static void test_embedded_undo(void) {
  static const char *const embed[] = {"embed-undo", "true", NULL};
  EXPECT(mkdir("embedded", 0755) == 0);
  put("embedded/a.jpg", photo, photo_size);
  put("embedded/b.jpg", photo, photo_size);
  upright_results *results = upright_normalize_folder("embedded", NULL, 2, embed, NULL);
  upright_result *result;
  int count = 0;
  while ((result = upright_results_next(results)) != NULL) {
    count += has_status(result, "normalized");
    upright_result_free(result);
  }
  upright_results_free(results);
  EXPECT(count == 2 && !holds("embedded/a.jpg", photo, photo_size));
  results = upright_restore_folder("embedded", NULL, 2, NULL, NULL);
  while ((result = upright_results_next(results)) != NULL) {
    count += has_status(result, "restored");
    upright_result_free(result);
  }
  EXPECT(count == 4 && upright_results_error(results) == NULL);
  upright_results_free(results);
  EXPECT(holds("embedded/a.jpg", photo, photo_size) && holds("embedded/b.jpg", photo, photo_size));
}

/* What becomes of a record that another program empties during the work, and of one with a damaged line. */
static void test_records(void) {
  EXPECT(mkdir("recorded", 0755) == 0);
  char path[64];
  for (int i = 0; i < 40; i++) {
    snprintf(path, sizeof path, "recorded/%03d.jpg", i);
    put(path, photo, photo_size);
  }
  put("recorded/.000.jpg.upright-abc123.tmp", "left", 4);
  upright_results *results = upright_normalize_folder("recorded", "lost.ndjson", 1, NULL, NULL);
  upright_result *result;
  int count = 0, failed = 0;
  while ((result = upright_results_next(results)) != NULL) {
    if (++count == 1) EXPECT(truncate("lost.ndjson", 0) == 0);
    if (upright_result_error_code(result) != NULL) {
      failed++;
      EXPECT(count == 41 && has_error(result, "replaced") && says(result, "\"path\":\"lost.ndjson\""));
    }
    upright_result_free(result);
  }
  EXPECT(count == 41 && failed == 1 && upright_results_error(results) == NULL);
  EXPECT(access("recorded/.000.jpg.upright-abc123.tmp", F_OK) != 0);
  upright_results_free(results);

  put("f.jpg", photo, photo_size);
  result = upright_normalize_file("f.jpg", NULL, "f.ndjson", NULL, NULL);
  upright_result_free(result);
  FILE *file = fopen("f.ndjson", "ab");
  EXPECT(file != NULL && fputs("{}\n", file) >= 0 && fclose(file) == 0);
  result = upright_restore_file("cut.jpg", NULL, "f.ndjson", NULL, NULL);
  EXPECT(has_error(result, "record-damaged"));
  upright_result_free(result);
  results = upright_restore_folder("recorded", "f.ndjson", 1, NULL, NULL);
  result = upright_results_next(results);
  EXPECT(has_error(result, "record-damaged") && says(result, "\"path\":\"f.ndjson\""));
  upright_result_free(result);
  upright_results_free(results);
  result = upright_restore_file("f.jpg", NULL, "f.ndjson", NULL, NULL);
  EXPECT(has_status(result, "restored") && holds("f.jpg", photo, photo_size));
  upright_result_free(result);
}

static void test_folders(void) {
  EXPECT(mkdir("folder", 0755) == 0 && mkdir("folder/sub", 0755) == 0);
  char path[64];
  for (int i = 0; i < 100; i++) {
    snprintf(path, sizeof path, i < 98 ? "folder/%03d.jpg" : "folder/sub/%03d.jpg", i);
    put(path, i == 50 ? (const void *)"no photo" : photo, i == 50 ? 8 : photo_size);
  }
  upright_results *results = upright_plan_folder("folder", 0, NULL, NULL);
  int planned = 0, failed = 0;
  upright_result *result;
  while ((result = upright_results_next(results)) != NULL) {
    planned += has_status(result, upright_result_error_code(result) == NULL ? "planned" : "failed");
    upright_result_free(result);
  }
  EXPECT(planned == 100 && upright_results_next(results) == NULL);
  upright_results_free(results);
  EXPECT(holds("folder/000.jpg", photo, photo_size));

  /* A caller who takes no more ends the work. */
  results = upright_normalize_folder("folder", NULL, 1, NULL, NULL);
  result = upright_results_next(results);
  EXPECT(has_status(result, "normalized"));
  upright_result_free(result);
  upright_results_free(results);
  EXPECT(!holds("folder/000.jpg", photo, photo_size) && holds("folder/sub/099.jpg", photo, photo_size));

  static const char *const backup[] = {"backup", ".orig", NULL};
  results = upright_normalize_folder("folder", "folder.ndjson", 3, backup, NULL);
  int count = 0;
  while ((result = upright_results_next(results)) != NULL) {
    snprintf(path, sizeof path, "%03d.jpg\"", count++);
    EXPECT(says(result, path));
    if (upright_result_error_code(result) != NULL) failed++;
    upright_result_free(result);
  }
  EXPECT(count == 100 && failed == 1 && upright_results_error(results) == NULL);
  upright_results_free(results);
  EXPECT(holds("folder/sub/099.jpg.orig", photo, photo_size));
  result = upright_restore_file("folder/sub/099.jpg", NULL, "folder.ndjson", NULL, NULL);
  EXPECT(has_status(result, "restored") && holds("folder/sub/099.jpg", photo, photo_size));
  upright_result_free(result);
  results = upright_restore_folder("folder", "folder.ndjson", 2, NULL, NULL);
  /* Those that were normalized without a record look like copies of the others. */
  int restored = 0, unchanged = 0, skipped = 0;
  while ((result = upright_results_next(results)) != NULL) {
    const char *status = upright_result_status(result);
    restored += strcmp(status, "restored") == 0;
    unchanged += strcmp(status, "unchanged") == 0;
    skipped += strcmp(status, "skipped") == 0;
    upright_result_free(result);
  }
  upright_results_free(results);
  EXPECT(restored > 90 && unchanged == 2 && restored + unchanged + skipped == 100);
  EXPECT(holds("folder/sub/098.jpg", photo, photo_size));
  results = upright_restore_folder("folder", "none.ndjson", 0, NULL, NULL);
  EXPECT(has_error(upright_results_error(results), "not-found"));
  upright_results_free(results);

  static const char *const unknown[] = {"color", "blue", NULL};
  results = upright_normalize_folder("folder", NULL, 0, unknown, NULL);
  EXPECT(has_error(upright_results_error(results), "unknown-option") && upright_results_next(results) == NULL);
  upright_results_free(results);
  results = upright_normalize_folder("folder", NULL, -1, NULL, NULL);
  EXPECT(has_error(upright_results_error(results), "argument"));
  upright_results_free(results);
  results = upright_normalize_folder("none", NULL, 0, NULL, NULL);
  result = upright_results_next(results);
  EXPECT(result != NULL && has_error(result, "not-found") && upright_results_next(results) == NULL);
  upright_result_free(result);
  upright_results_free(results);
  upright_results_free(NULL);
}

int main(int argc, char **argv) {
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 64;
  photo = malloc(1 << 20);
  if (photo == NULL) return 1;
  photo_size = fread(photo, 1, 1 << 20, file);
  fclose(file);
  if (chdir(argv[2]) != 0) return 64;
  test_rewrite_and_restore();
  test_outputs();
  test_skips_and_errors();
  test_restoration_without_sidecars();
  test_embedded_undo();
  test_folders();
  test_records();
  free(photo);
  if (failures == 0) puts("files: all as upright.h says");
  return failures == 0 ? 0 : 1;
}
