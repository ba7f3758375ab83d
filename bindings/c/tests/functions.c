/*
 * Calls every function of libupright with what it is for, and with what it is not for.
 *
 *   ./functions portrait.jpg           an aligned photo with Orientation 6, 480 × 320 pixels
 *   ./functions portrait.jpg sealed    in a thread that can neither open nor write anything: any attempt is a failure
 */
#define _GNU_SOURCE
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <upright.h>

static int failures = 0;

/* The number of a forbidden system call that was tried; -1 if none was. */
static volatile sig_atomic_t forbidden_call = -1;

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
  EXPECT(strcmp(upright_result_status(result), "normalized") == 0);
  EXPECT(strcmp(upright_result_transform(result), "rotate-90") == 0);
  EXPECT(upright_result_width(result) == 320 && upright_result_height(result) == 480);
  EXPECT(strcmp(upright_result_format(result), "jpeg") == 0);
  EXPECT(strcmp(upright_result_media_type(result), "image/jpeg") == 0);
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
  EXPECT(strcmp(upright_result_status(result), "failed") == 0 && upright_result_width(result) == 0);
  EXPECT(upright_result_format(result) == NULL && upright_result_media_type(result) == NULL);
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
  EXPECT(strcmp(upright_result_status(result), "already-upright") == 0 && upright_result_transform(result) == NULL);
  EXPECT(upright_result_width(result) == 320 && upright_result_height(result) == 480);
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
    {{"spelling", "snake", NULL}, NULL},
    {{"spelling", "title", NULL}, "unknown-value"},
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

/* Sizes that no file can have, such as a length of -1. */
static void test_sizes(const uint8_t *photo, size_t size) {
  static const char *const limited[] = {"max-bytes", "1000000", NULL};
  static const size_t sizes[] = {SIZE_MAX, (size_t)1 << (8 * sizeof(size_t) - 1)};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int j = 0; j < 2; j++) {
      const char *const *options = j == 0 ? NULL : limited;
      upright_rectangle part = {.x = 0, .y = 0, .width = 64, .height = 64};
      upright_result *results[] = {
        upright_normalize(photo, sizes[i], options, NULL), upright_plan(photo, sizes[i], options, NULL),
        upright_audit(photo, sizes[i], options, NULL), upright_rotate(photo, sizes[i], 90, options, NULL),
        upright_flip(photo, sizes[i], UPRIGHT_VERTICAL, options, NULL),
        upright_crop(photo, sizes[i], part, options, NULL),
        upright_verify(photo, sizes[i], photo, size, options, NULL),
        upright_verify(photo, size, photo, sizes[i], options, NULL),
        upright_undo(photo, sizes[i], photo, size, options, NULL),
        upright_undo(photo, size, photo, sizes[i], options, NULL),
      };
      for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        EXPECT(has_error(results[k], "limit"));
        upright_result_free(results[k]);
      }
    }
  }
  /* Undo data is smaller than 16 MiB and twice the file. */
  size_t excess = 2 * size + (16 << 20) + 1;
  uint8_t *data = calloc(1, excess);
  if (data == NULL) abort();
  upright_result *result = upright_undo(photo, size, data, excess, NULL, NULL);
  EXPECT(has_error(result, "limit"));
  upright_result_free(result);
  result = upright_undo(photo, size, data, excess - 1, NULL, NULL);
  EXPECT(has_error(result, "malformed"));
  upright_result_free(result);
  free(data);
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

static void note_call(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  forbidden_call = info->si_syscall;
}

/* Forbids this thread and those that it starts to open, connect, write or execute anything. */
static int seal(void) {
  static const unsigned forbidden[] = {
#ifdef SYS_open
    SYS_open, SYS_creat,
#endif
    SYS_openat, SYS_openat2, SYS_socket, SYS_write, SYS_writev, SYS_pwrite64, SYS_execve, SYS_clone, SYS_clone3};
  enum { COUNT = sizeof forbidden / sizeof *forbidden };
  struct sock_filter filter[COUNT + 3] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    [COUNT + 1] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    [COUNT + 2] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
  };
  for (unsigned i = 0; i < COUNT; i++) {
    filter[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forbidden[i], COUNT - i, 0);
  }
  struct sock_fprog program = {.len = COUNT + 3, .filter = filter};
  struct sigaction action = {.sa_sigaction = note_call, .sa_flags = SA_SIGINFO};
  return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
         && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static const uint8_t *photo_bytes;
static size_t photo_size;

static void test_everything(void) {
  test_normalize_and_undo(photo_bytes, photo_size);
  test_reports(photo_bytes, photo_size);
  test_transforms(photo_bytes, photo_size);
  test_crop(photo_bytes, photo_size);
  test_options(photo_bytes, photo_size);
  test_nothing(photo_bytes, photo_size);
  test_sizes(photo_bytes, photo_size);
  test_cancellation(photo_bytes, photo_size);
}

static void *test_sealed(void *argument) {
  (void)argument;
  if (seal()) {
    test_everything();
  } else {
    failures++;
  }
  return NULL;
}

int main(int argc, char **argv) {
  FILE *file = argc >= 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 64;
  uint8_t *photo = malloc(1 << 20);
  if (photo == NULL) return 1;
  size_t size = fread(photo, 1, 1 << 20, file);
  fclose(file);
  photo_bytes = photo;
  photo_size = size;
  if (argc == 2) {
    test_everything();
  } else {
    pthread_t thread;
    /* In the arena of another thread, free() of glibc reads /proc/sys/vm/overcommit_memory. */
    mallopt(M_ARENA_MAX, 1);
    if (pthread_create(&thread, NULL, test_sealed, NULL) != 0 || pthread_join(thread, NULL) != 0) return 1;
    if (forbidden_call >= 0) fprintf(stderr, "functions.c: tried the system call %d\n", (int)forbidden_call);
    if (forbidden_call >= 0) failures++;
  }
  free(photo);
  if (failures == 0) puts("functions: all as upright.h says");
  return failures == 0 ? 0 : 1;
}
