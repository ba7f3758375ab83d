// The functions of libheif that HEIFDecoder calls: result, name, parameters, arguments.

#ifndef UPRIGHT_CHEIF_FUNCTIONS_H
#define UPRIGHT_CHEIF_FUNCTIONS_H

#define FUNCTIONS(FUNCTION) \
  FUNCTION(struct heif_context *, heif_context_alloc, (void), ()) \
  FUNCTION(void, heif_context_free, (struct heif_context *a), (a)) \
  FUNCTION(int, heif_context_get_number_of_top_level_images, (struct heif_context *a), (a)) \
  FUNCTION(struct heif_error, heif_context_get_primary_image_handle, \
    (struct heif_context *a, struct heif_image_handle **b), (a, b)) \
  FUNCTION(struct heif_error, heif_context_read_from_memory, \
    (struct heif_context *a, const void *b, size_t c, const struct heif_reading_options *d), (a, b, c, d)) \
  FUNCTION(void, heif_context_set_max_decoding_threads, (struct heif_context *a, int b), (a, b)) \
  FUNCTION(struct heif_error, heif_decode_image, \
    (const struct heif_image_handle *a, struct heif_image **b, enum heif_colorspace c, enum heif_chroma d, \
     const struct heif_decoding_options *e), (a, b, c, d, e)) \
  FUNCTION(struct heif_decoding_options *, heif_decoding_options_alloc, (void), ()) \
  FUNCTION(void, heif_decoding_options_free, (struct heif_decoding_options *a), (a)) \
  FUNCTION(int, heif_image_get_bits_per_pixel, (const struct heif_image *a, enum heif_channel b), (a, b)) \
  FUNCTION(int, heif_image_get_decoding_warnings, \
    (struct heif_image *a, int b, struct heif_error *c, int d), (a, b, c, d)) \
  FUNCTION(int, heif_image_get_height, (const struct heif_image *a, enum heif_channel b), (a, b)) \
  FUNCTION(const uint8_t *, heif_image_get_plane_readonly, \
    (const struct heif_image *a, enum heif_channel b, int *c), (a, b, c)) \
  FUNCTION(int, heif_image_get_primary_height, (const struct heif_image *a), (a)) \
  FUNCTION(int, heif_image_get_primary_width, (const struct heif_image *a), (a)) \
  FUNCTION(int, heif_image_get_width, (const struct heif_image *a, enum heif_channel b), (a, b)) \
  FUNCTION(void, heif_image_handle_free_auxiliary_types, (const struct heif_image_handle *a, const char **b), (a, b)) \
  FUNCTION(struct heif_error, heif_image_handle_get_auxiliary_image_handle, \
    (const struct heif_image_handle *a, heif_item_id b, struct heif_image_handle **c), (a, b, c)) \
  FUNCTION(struct heif_error, heif_image_handle_get_auxiliary_type, \
    (const struct heif_image_handle *a, const char **b), (a, b)) \
  FUNCTION(int, heif_image_handle_get_height, (const struct heif_image_handle *a), (a)) \
  FUNCTION(int, heif_image_handle_get_list_of_auxiliary_image_IDs, \
    (const struct heif_image_handle *a, int b, heif_item_id *c, int d), (a, b, c, d)) \
  FUNCTION(int, heif_image_handle_get_luma_bits_per_pixel, (const struct heif_image_handle *a), (a)) \
  FUNCTION(struct heif_error, heif_image_handle_get_nclx_color_profile, \
    (const struct heif_image_handle *a, struct heif_color_profile_nclx **b), (a, b)) \
  FUNCTION(int, heif_image_handle_get_number_of_auxiliary_images, (const struct heif_image_handle *a, int b), (a, b)) \
  FUNCTION(struct heif_error, heif_image_handle_get_raw_color_profile, \
    (const struct heif_image_handle *a, void *b), (a, b)) \
  FUNCTION(size_t, heif_image_handle_get_raw_color_profile_size, (const struct heif_image_handle *a), (a)) \
  FUNCTION(int, heif_image_handle_get_width, (const struct heif_image_handle *a), (a)) \
  FUNCTION(int, heif_image_handle_has_alpha_channel, (const struct heif_image_handle *a), (a)) \
  FUNCTION(int, heif_image_handle_has_depth_image, (const struct heif_image_handle *a), (a)) \
  FUNCTION(void, heif_image_handle_release, (const struct heif_image_handle *a), (a)) \
  FUNCTION(int, heif_image_has_channel, (const struct heif_image *a, enum heif_channel b), (a, b)) \
  FUNCTION(void, heif_image_release, (const struct heif_image *a), (a)) \
  FUNCTION(struct heif_error, heif_init, (struct heif_init_params *a), (a)) \
  FUNCTION(void, heif_nclx_color_profile_free, (struct heif_color_profile_nclx *a), (a))

#endif
