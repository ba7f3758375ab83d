// Defines the functions of libheif that HEIFDecoder calls. Each calls the function of the same name in the library that
// load_libheif loads, so the program is not linked against libheif.

#include "CHEIF.h"

#include <dlfcn.h>

#define MEMBER(result, name, parameters, arguments) __typeof__(&name) name;
static struct { FUNCTIONS(MEMBER) } library;

#define FORWARD(result, name, parameters, arguments) \
  result name parameters { return library.name arguments; }
FUNCTIONS(FORWARD)

#ifdef __APPLE__
static const char *const name = "libheif.1.dylib";
#else
static const char *const name = "libheif.so.1";
#endif

const char *load_libheif(void) {
  // Never closed: codecs may keep threads.
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define LOAD(result, name, parameters, arguments) \
  if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return dlerror();
  FUNCTIONS(LOAD)
  return 0;
}
