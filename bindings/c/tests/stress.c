/*
 * Gives libupright random inputs from many threads: files with bytes changed, taken out or put in, and parts of two
 * files. Whatever comes back must be whole, and each rewrite must be taken back to the same input.
 *
 *   ./stress THREADS COUNT FILE...
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upright.h>

typedef struct {
  uint8_t *bytes;
  size_t size;
} blob;

static blob *files;
static size_t file_count, count;
static unsigned thread_count;

/* What a thread does, and what came of it. */
typedef struct {
  pthread_t thread;
  uint64_t random;
  size_t rewritten, unchanged, failed, wrong;
} worker;

/* Steele and Vigna's SplitMix64. */
static uint64_t next(worker *worker, uint64_t bound) {
  uint64_t z = worker->random += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return (z ^ (z >> 31)) % bound;
}

/* A file with a few changes. */
static blob mutant(worker *worker) {
  const blob *file = &files[next(worker, file_count)], *other = &files[next(worker, file_count)];
  blob result = {malloc(file->size + other->size + 1), file->size};
  if (result.bytes == NULL) abort();
  memcpy(result.bytes, file->bytes, file->size);
  for (uint64_t changes = next(worker, 4); changes > 0 && result.size > 0; changes--) {
    /* Mostly in the header, where the structure is. */
    size_t at = next(worker, next(worker, 3) == 0 || result.size < 700 ? result.size : 700);
    size_t length = 1 + next(worker, 16);
    if (length > result.size - at) length = result.size - at;
    switch (next(worker, 6)) {
      case 0: result.size = at; break;
      case 1: result.bytes[at] ^= (uint8_t)(1u << next(worker, 8)); break;
      case 2: result.bytes[at] = (uint8_t)(next(worker, 2) == 0 ? 0xFF : 0); break;
      case 3:
        for (size_t i = 0; i < length; i++) result.bytes[at + i] = (uint8_t)next(worker, 256);
        break;
      case 4:
        memmove(result.bytes + at, result.bytes + at + length, result.size - at - length);
        result.size -= length;
        break;
      default:
        if (at < other->size) {
          result.size = other->size;
          memcpy(result.bytes + at, other->bytes + at, other->size - at);
        }
    }
  }
  return result;
}

static upright_result *call(worker *worker, const blob *input) {
  static const char *const options[] = {"on-conflict", "trust-tag", "content-credentials", "strip",
                                        "memory", "512", "max-pixels", "4000000", NULL};
  upright_rectangle part = {(int64_t)next(worker, 60), (int64_t)next(worker, 60), 1 + (int64_t)next(worker, 99),
                            1 + (int64_t)next(worker, 99)};
  switch (next(worker, 8)) {
    case 0: return upright_audit(input->bytes, input->size, options, NULL);
    case 1: return upright_plan(input->bytes, input->size, options, NULL);
    case 2: return upright_rotate(input->bytes, input->size, 90, options + 2, NULL);
    case 3: return upright_flip(input->bytes, input->size, (upright_axis)next(worker, 4), options + 2, NULL);
    case 4: return upright_crop(input->bytes, input->size, part, options + 2, NULL);
    case 5: return upright_verify(files[0].bytes, files[0].size, input->bytes, input->size, NULL, NULL);
    default: return upright_normalize(input->bytes, input->size, options, NULL);
  }
}

static void *work(void *argument) {
  worker *worker = argument;
  for (size_t i = 0; i < count / thread_count; i++) {
    blob input = mutant(worker);
    upright_result *result = call(worker, &input);
    size_t size = 0, undo_size = 0;
    const uint8_t *bytes = upright_result_bytes(result, &size);
    const uint8_t *undo = upright_result_undo(result, &undo_size);
    const char *report = upright_result_report(result);
    if (report[0] != '{' || report[strlen(report) - 1] != '}') worker->wrong++;
    if (upright_result_error_code(result) != NULL) {
      worker->failed++;
      if (bytes != NULL || upright_result_error_offset(result) > (int64_t)(input.size + files[0].size)) worker->wrong++;
    } else if (bytes == NULL) {
      worker->unchanged++;
    } else {
      worker->rewritten++;
      if (undo != NULL) {
        upright_result *original = upright_undo(bytes, size, undo, undo_size, NULL, NULL);
        size_t old_size = 0;
        const uint8_t *old = upright_result_bytes(original, &old_size);
        if (old == NULL || old_size != input.size || memcmp(old, input.bytes, old_size) != 0) worker->wrong++;
        upright_result_free(original);
      }
    }
    upright_result_free(result);
    free(input.bytes);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  thread_count = (unsigned)atoi(argv[1]);
  count = (size_t)atol(argv[2]);
  file_count = (size_t)argc - 3;
  files = calloc(file_count, sizeof *files);
  worker *workers = calloc(thread_count, sizeof *workers);
  if (files == NULL || workers == NULL) return 1;
  for (size_t i = 0; i < file_count; i++) {
    FILE *file = fopen(argv[3 + i], "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) return 2;
    files[i].size = (size_t)ftell(file);
    files[i].bytes = malloc(files[i].size + 1);
    rewind(file);
    if (files[i].bytes == NULL || fread(files[i].bytes, 1, files[i].size, file) != files[i].size) return 2;
    fclose(file);
  }
  for (unsigned i = 0; i < thread_count; i++) {
    workers[i].random = i + 1;
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) return 1;
  }
  worker all = {0};
  for (unsigned i = 0; i < thread_count; i++) {
    pthread_join(workers[i].thread, NULL);
    all.rewritten += workers[i].rewritten;
    all.unchanged += workers[i].unchanged;
    all.failed += workers[i].failed;
    all.wrong += workers[i].wrong;
  }
  printf("stress: %zu rewritten, %zu unchanged, %zu failed, %zu wrong, from %u threads\n", all.rewritten, all.unchanged,
         all.failed, all.wrong, thread_count);
  for (size_t i = 0; i < file_count; i++) free(files[i].bytes);
  free(files);
  free(workers);
  return all.wrong == 0 && all.rewritten > 0 && all.failed > 0 ? 0 : 1;
}
