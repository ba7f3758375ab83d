/*
 * Loads and unloads libupright: in the main thread, in threads that end afterwards, and in processes that fork.
 *
 *   ./unload libupright.so.0 portrait.jpg
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upright.h>

static const char *library_path;
static uint8_t photo[1 << 20];
static size_t size;

/* A function of a library; C has no conversion from dlsym's pointer. */
#define FIND(library, name) (*(__typeof__(name) **)(void *[]){dlsym(library, #name)})

static void *use(void *argument) {
  (void)argument;
  void *library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "unload: %s\n", dlerror());
    exit(1);
  }
  upright_result *result = FIND(library, upright_normalize)(photo, size, NULL, NULL);
  if (FIND(library, upright_result_bytes)(result, NULL) == NULL) exit(1);
  FIND(library, upright_result_free)(result);
  if (dlclose(library) != 0) exit(1);
  return NULL;
}

int main(int argc, char **argv) {
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (file == NULL) return 64;
  library_path = argv[1];
  size = fread(photo, 1, sizeof photo, file);
  fclose(file);
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, use, NULL) != 0 || pthread_join(thread, NULL) != 0) return 1;
  }
  for (int i = 0; i < 20; i++) use(NULL);
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      use(NULL);
      _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  puts("unload: threads and processes end after the library was unloaded");
  return 0;
}
