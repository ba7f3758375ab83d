// Nettle's SHA-256 and MD5, without the parameter that its version 4 has dropped.

#ifndef UPRIGHT_CNETTLE_SHIM_H
#define UPRIGHT_CNETTLE_SHIM_H

#include <nettle/md5.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stddef.h>
#include <stdint.h>

/// Writes the SHA-256 of what was added to `context` to the 32 bytes of `digest`.
static inline void sha256_finish(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  nettle_sha256_digest(context, digest);
#else
  nettle_sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}

/// Writes the MD5 of `length` bytes of `data` to the 16 bytes of `digest`.
static inline void md5_of(size_t length, const uint8_t *data, uint8_t *digest) {
  struct md5_ctx context;
  nettle_md5_init(&context);
  nettle_md5_update(&context, length, data);
#if NETTLE_VERSION_MAJOR >= 4
  nettle_md5_digest(&context, digest);
#else
  nettle_md5_digest(&context, MD5_DIGEST_SIZE, digest);
#endif
}

#endif
