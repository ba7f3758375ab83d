/*
 * Calls every function of libupright with what it is for, and with what it is not for.
 *
 *   ./functions portrait.jpg     an aligned photograph with Orientation 6, 480 × 320 pixels
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upright.h>

static int failures = 0;

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void expect(int condition, const char *text, int line) {
  if (condition) return;
  fprintf(stderr, "functions.c:%d: not so: %s\n", line, text);
  failures++;
}

static int says(const upright_result *result, const char *text) {
  return strstr(upright_result_report(result), text) != NULL;
}

static int has_error(const upright_result *result, const char *code) {
  const char *found = upright_result_error_code(result);
  return found != NULL && strcmp(found, code) == 0 && upright_result_error_message(result)[0] != 0
         && upright_result_bytes(result, NULL) == NULL && says(result, code);
}

/* Keeps a copy of a result's bytes beyond its end. */
static uint8_t *copy(const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size);
  if (copy == NULL) abort();
  return memcpy(copy, bytes, size);
}

static void test_normalize_and_undo(const uint8_t *photo, size_t size) {
  static const char *const named[] = {"path", "photo.jpg", "verify", "restore", NULL};
  upright_result *result = upright_normalize(photo, size, named, NULL);
  EXPECT(upright_result_error_code(result) == NULL);
  EXPECT(upright_result_error_message(result) == NULL);
  EXPECT(upright_result_error_offset(result) == -1);
  EXPECT(says(result, "\"path\":\"photo.jpg\""));
  size_t new_size = 0, undo_size = 0;
  const uint8_t *bytes = upright_result_bytes(result, &new_size);
  const uint8_t *undo = upright_result_undo(result, &undo_size);
  EXPECT(bytes != NULL && new_size > 0 && undo != NULL && undo_size > 0);
  uint8_t *upright = copy(bytes, new_size), *data = copy(undo, undo_size);
  upright_result_free(result);

  result = upright_undo(upright, new_size, data, undo_size, NULL, NULL);
  size_t old_size = 0;
  const uint8_t *original = upright_result_bytes(result, &old_size);
  EXPECT(original != NULL && old_size == size && memcmp(original, photo, size) == 0);
  EXPECT(says(result, "\"restored\""));
  upright_result_free(result);

  result = upright_undo(photo, size, data, undo_size, NULL, NULL);
  EXPECT(has_error(result, "verification"));
  upright_result_free(result);
  result = upright_undo(upright, new_size, upright, 20, NULL, NULL);
  EXPECT(has_error(result, "malformed"));
  upright_result_free(result);

  result = upright_verify(photo, size, upright, new_size, NULL, NULL);
  EXPECT(says(result, "\"status\":\"proven\"") && upright_result_error_code(result) == NULL);
  upright_result_free(result);
  result = upright_verify(photo, size, photo, size, NULL, NULL);
  EXPECT(says(result, "\"not-proven\""));
  upright_result_free(result);
  result = upright_verify(photo, size, upright, 100, NULL, NULL);
  EXPECT(has_error(result, "truncated") && says(result, "\"file\":\"result\""));
  upright_result_free(result);

  result = upright_normalize(upright, new_size, NULL, NULL);
  EXPECT(upright_result_bytes(result, &new_size) == NULL && new_size == 0);
  EXPECT(upright_result_error_code(result) == NULL);
  upright_result_free(result);
  free(upright);
  free(data);
}

static void test_reports(const uint8_t *photo, size_t size) {
  upright_result *result = upright_plan(photo, size, NULL, NULL);
  EXPECT(says(result, "\"planned\"") && says(result, "\"rotate-90\""));
  EXPECT(upright_result_bytes(result, NULL) == NULL && upright_result_undo(result, NULL) == NULL);
  upright_result_free(result);
  result = upright_audit(photo, size, NULL, NULL);
  EXPECT(says(result, "\"planned\"") && says(result, "\"facts\""));
  upright_result_free(result);
}

static void test_transforms(const uint8_t *photo, size_t size) {
  static const char *const tag_only[] = {"tag-only", "true", NULL}, *const dry[] = {"dry-run", "true", NULL};
  upright_result *result = upright_rotate(photo, size, 90, NULL, NULL);
  EXPECT(upright_result_bytes(result, NULL) != NULL && says(result, "\"transform\":\"rotate-180\""));
  upright_result_free(result);
  result = upright_rotate(photo, size, 270, tag_only, NULL);
  EXPECT(upright_result_bytes(result, NULL) != NULL && says(result, "\"tagged\""));
  upright_result_free(result);
  result = upright_rotate(photo, size, 90, dry, NULL);
  EXPECT(upright_result_bytes(result, NULL) == NULL && says(result, "\"planned\""));
  upright_result_free(result);
  for (upright_axis axis = UPRIGHT_HORIZONTAL; axis <= UPRIGHT_TRANSVERSE; axis++) {
    result = upright_flip(photo, size, axis, NULL, NULL);
    EXPECT(upright_result_bytes(result, NULL) != NULL);
    upright_result_free(result);
  }
  result = upright_rotate(photo, size, 45, NULL, NULL);
  EXPECT(has_error(result, "argument"));
  upright_result_free(result);
  result = upright_flip(photo, size, 4, NULL, NULL);
  EXPECT(has_error(result, "argument"));
  upright_result_free(result);
}

static void test_crop(const uint8_t *photo, size_t size) {
  static const char *const snap_exact[] = {"snap", "exact", NULL}, *const dry[] = {"dry-run", "true", NULL};
  upright_rectangle part = {.x = 40, .y = 60, .width = 200, .height = 150};
  upright_result *result = upright_crop(photo, size, part, NULL, NULL);
  EXPECT(upright_result_bytes(result, NULL) != NULL && upright_result_undo(result, NULL) == NULL);
  EXPECT(says(result, "\"cropped\""));
  upright_result_free(result);
  result = upright_crop(photo, size, part, snap_exact, NULL);
  EXPECT(says(result, "\"result\":{\"height\":150,\"width\":200,\"x\":40,\"y\":60}"));
  upright_result_free(result);
  result = upright_crop(photo, size, part, dry, NULL);
  EXPECT(says(result, "\"planned\""));
  upright_result_free(result);
  part.x = 300;
  result = upright_crop(photo, size, part, NULL, NULL);
  EXPECT(has_error(result, "outside-image"));
  upright_result_free(result);
  part.width = INT64_MIN;
  result = upright_crop(photo, size, part, NULL, NULL);
  EXPECT(has_error(result, "argument"));
  upright_result_free(result);
}

static void test_options(const uint8_t *photo, size_t size) {
  static const struct {
    const char *options[3];
    const char *code;
  } cases[] = {
    {{"unaligned", "skip", NULL}, NULL},
    {{"lossless-only", "true", NULL}, NULL},
    {{"on-conflict", "reset-tag", NULL}, NULL},
    {{"time-limit", "60000", NULL}, NULL},
    {{"time-limit", "0", NULL}, "time-limit"},
    {{"max-bytes", "100", NULL}, "limit"},
    {{"memory", "99999999999999999", NULL}, NULL},
    {{"memory", "-1", NULL}, "unknown-value"},
    {{"max-pixels", "99999999999999999999", NULL}, "unknown-value"},
    {{"unaligned", "perhaps", NULL}, "unknown-value"},
    {{"strict-orientation", "yes", NULL}, "unknown-value"},
    {{"unaligned", NULL, NULL}, "unknown-value"},
    {{"snap", "grow", NULL}, "unknown-option"},
    {{"", "", NULL}, "unknown-option"},
    {{"\xFF", "\xFF", NULL}, "unknown-option"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    upright_result *result = upright_normalize(photo, size, cases[i].options, NULL);
    const char *code = upright_result_error_code(result);
    int right = cases[i].code == NULL ? code == NULL : has_error(result, cases[i].code);
    if (!right) fprintf(stderr, "%s: %s\n", cases[i].options[0], code == NULL ? "no error" : code);
    EXPECT(right);
    upright_result_free(result);
  }
}

static void test_nothing(const uint8_t *photo, size_t size) {
  upright_result *result = upright_normalize(NULL, 0, NULL, NULL);
  EXPECT(has_error(result, "empty"));
  upright_result_free(result);
  result = upright_audit(NULL, 12, NULL, NULL);
  EXPECT(has_error(result, "empty"));
  upright_result_free(result);
  result = upright_verify(photo, size, NULL, 0, NULL, NULL);
  EXPECT(has_error(result, "empty"));
  upright_result_free(result);
  result = upright_undo(photo, size, NULL, 0, NULL, NULL);
  EXPECT(has_error(result, "malformed"));
  upright_result_free(result);
  result = upright_normalize(photo, size / 2, NULL, NULL);
  EXPECT(has_error(result, "truncated") && upright_result_error_offset(result) > 0);
  upright_result_free(result);
  upright_result_free(NULL);
  upright_cancellation_free(NULL);
  upright_cancellation_cancel(NULL);
  EXPECT(upright_version()[0] != 0);
}

static void test_cancellation(const uint8_t *photo, size_t size) {
  upright_cancellation *cancellation = upright_cancellation_create();
  upright_result *result = upright_normalize(photo, size, NULL, cancellation);
  EXPECT(upright_result_bytes(result, NULL) != NULL);
  upright_result_free(result);
  upright_cancellation_cancel(cancellation);
  result = upright_normalize(photo, size, NULL, cancellation);
  EXPECT(has_error(result, "cancelled"));
  upright_result_free(result);
  result = upright_verify(photo, size, photo, size, NULL, cancellation);
  EXPECT(has_error(result, "cancelled"));
  upright_result_free(result);
  upright_cancellation_free(cancellation);
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 64;
  uint8_t *photo = malloc(1 << 20);
  if (photo == NULL) return 1;
  size_t size = fread(photo, 1, 1 << 20, file);
  fclose(file);
  test_normalize_and_undo(photo, size);
  test_reports(photo, size);
  test_transforms(photo, size);
  test_crop(photo, size);
  test_options(photo, size);
  test_nothing(photo, size);
  test_cancellation(photo, size);
  free(photo);
  if (failures == 0) puts("functions: all as upright.h says");
  return failures == 0 ? 0 : 1;
}
