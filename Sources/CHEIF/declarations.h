// What HEIFDecoder uses of the ABI of libheif.so.1, so that no headers of libheif are needed. tools/check/core compares it with
// those that are installed.

#ifndef UPRIGHT_CHEIF_DECLARATIONS_H
#define UPRIGHT_CHEIF_DECLARATIONS_H

#include "functions.h"

#include <stddef.h>
#include <stdint.h>

#define LIBHEIF_AUX_IMAGE_FILTER_OMIT_ALPHA (1UL << 1)
#define LIBHEIF_AUX_IMAGE_FILTER_OMIT_DEPTH (2UL << 1)

typedef uint32_t heif_item_id;

struct heif_context;
struct heif_image;
struct heif_image_handle;
struct heif_init_params;
struct heif_reading_options;

enum heif_error_code {
  heif_error_Ok = 0,
  heif_error_Unsupported_filetype = 3,
  heif_error_Unsupported_feature = 4,
  heif_error_Memory_allocation_error = 6,
  heif_error_Decoder_plugin_error = 7,
};

enum heif_suberror_code {
  heif_suberror_End_of_data = 100,
  heif_suberror_Security_limit_exceeded = 1000,
};

enum heif_colorspace {
  heif_colorspace_YCbCr = 0,
  heif_colorspace_monochrome = 2,
};

enum heif_chroma {
  heif_chroma_monochrome = 0,
  heif_chroma_420 = 1,
  heif_chroma_422 = 2,
  heif_chroma_444 = 3,
};

enum heif_channel {
  heif_channel_Y = 0,
  heif_channel_Cb = 1,
  heif_channel_Cr = 2,
};

enum heif_color_primaries { heif_color_primaries_unspecified = 2 };
enum heif_transfer_characteristics { heif_transfer_characteristic_unspecified = 2 };

struct heif_error {
  enum heif_error_code code;
  enum heif_suberror_code subcode;
  const char *message;
};

// libheif allocates it, with further members.
struct heif_color_profile_nclx {
  uint8_t version;
  enum heif_color_primaries color_primaries;
  enum heif_transfer_characteristics transfer_characteristics;
};

// libheif allocates it, with further members in later versions.
struct heif_decoding_options {
  uint8_t version;
  uint8_t ignore_transformations;
  void *start_progress;
  void *on_progress;
  void *end_progress;
  void *progress_user_data;
  uint8_t convert_hdr_to_8bit;
  uint8_t strict_decoding;
};

#define DECLARE(result, name, parameters, arguments) result name parameters;
FUNCTIONS(DECLARE)
#undef DECLARE

#endif
