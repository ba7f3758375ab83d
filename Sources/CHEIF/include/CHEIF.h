// libheif, which is loaded at run time: only `upright convert` needs it, and its codecs are slow to start.

#ifndef UPRIGHT_CHEIF_H
#define UPRIGHT_CHEIF_H

#include "../declarations.h"

/// Loads libheif. Call it from one thread, before any function of libheif.
///
/// Returns NULL, or the message of the dynamic linker if the library or a function is missing.
const char *load_libheif(void);

#endif
