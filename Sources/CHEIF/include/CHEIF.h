// libheif, which is loaded at run time: only `upright convert` needs it, and its codecs take their time to start.

#ifndef UPRIGHT_CHEIF_H
#define UPRIGHT_CHEIF_H

// Its headers need not be installed: for the trait HEIF to compile without them, as `swift package dump-symbol-graph`
// does with every trait, there are declarations of what is used. Nothing is called through those.
#if __has_include(<libheif/heif.h>) && !defined(UPRIGHT_DECLARES_LIBHEIF)
#include <libheif/heif.h>
#else
#ifndef UPRIGHT_DECLARES_LIBHEIF
#define UPRIGHT_DECLARES_LIBHEIF
#endif
#include "../declarations.h"
#endif

/// Why the code that includes this must not call libheif: it was compiled against the declarations. NULL if it may.
///
/// Inline, because an incremental build does not see that headers have appeared, and may have compiled only a part anew.
static inline const char *problem_of_headers(void) {
#ifdef UPRIGHT_DECLARES_LIBHEIF
  return "the program was built without the headers of libheif; install them (libheif-dev) and build it from scratch";
#else
  return 0;
#endif
}

/// Loads libheif; to be called before any function of it, from one thread.
///
/// Returns NULL, or the dynamic linker's message if the library or one of the functions is missing.
const char *load_libheif(void);

#endif
