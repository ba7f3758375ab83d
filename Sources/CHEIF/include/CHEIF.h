// libheif, which is loaded at run time: only `upright convert` needs it, and its codecs are slow to start.

#ifndef UPRIGHT_CHEIF_H
#define UPRIGHT_CHEIF_H

// The trait HEIF compiles without the headers of libheif, as `swift package dump-symbol-graph` enables every trait.
// declarations.h then declares what is used, and no function is called.
#if __has_include(<libheif/heif.h>) && !defined(UPRIGHT_DECLARES_LIBHEIF)
#include <libheif/heif.h>
#else
#ifndef UPRIGHT_DECLARES_LIBHEIF
#define UPRIGHT_DECLARES_LIBHEIF
#endif
#include "../declarations.h"
#endif

/// Returns an error message if this code was compiled without the headers of libheif and must not call it, or NULL.
///
/// It is inline because an incremental build does not notice new headers, and may recompile only a part of the code.
static inline const char *problem_of_headers(void) {
#ifdef UPRIGHT_DECLARES_LIBHEIF
  return "the program was built without the headers of libheif; install them (libheif-dev) and build it from scratch";
#else
  return 0;
#endif
}

/// Loads libheif. Call it from one thread, before any function of libheif.
///
/// Returns NULL, or the message of the dynamic linker if the library or a function is missing.
const char *load_libheif(void);

#endif
