// libheif, which is loaded at run time: only `upright convert` needs it, and its codecs take their time to start.

#ifndef UPRIGHT_CHEIF_H
#define UPRIGHT_CHEIF_H

// Without the trait HEIF nothing is compiled against libheif, so that its headers need not be installed.
#if __has_include(<libheif/heif.h>)
#include <libheif/heif.h>
#endif

/// Loads libheif; to be called before any function of it, from one thread.
///
/// Returns NULL, or the dynamic linker's message if the library or one of the functions is missing.
const char *load_libheif(void);

#endif
