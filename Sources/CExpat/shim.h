#include <expat.h>

// Expat 2.9 deprecates both functions, in favour of others that earlier versions lack. They are used below 2 GiB.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/// Returns the offset of the current event in bytes.
static inline XML_Index upright_expat_offset(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }

/// Returns the number of bytes of the current event.
static inline int upright_expat_length(XML_Parser parser) { return XML_GetCurrentByteCount(parser); }

#pragma GCC diagnostic pop
