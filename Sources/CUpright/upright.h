/*
 * libupright: makes JPEG photographs upright without losing anything.
 *
 * A file goes in as bytes, and a result comes out: the new file, what it takes to restore the original, and a
 * report. The library opens no file, keeps nothing between two calls and writes nothing to standard output or
 * standard error.
 *
 *     static const char *const options[] = {"on-conflict", "trust-tag", NULL};
 *     upright_result *result = upright_normalize(photo, size, options, NULL);
 *     size_t new_size;
 *     const uint8_t *bytes = upright_result_bytes(result, &new_size);
 *     if (upright_result_error_code(result) != NULL)
 *       fprintf(stderr, "%s\n", upright_result_error_message(result));
 *     else if (bytes != NULL)
 *       store(bytes, new_size);
 *     upright_result_free(result);
 *
 * Memory. What a function is given still belongs to the caller; it must not change until the function returns,
 * and is not needed afterwards. What a function returns a handle to belongs to the caller, who frees it with the
 * function of the same prefix; so freed, NULL is ignored. What is read from a result belongs to the result and is
 * valid until that is freed. Where memory runs out for good, the process ends, as with most programs in Swift.
 *
 * Threads. Every function may be called from any thread at any time, without an initialization. It works in the
 * calling thread, with a stack of at least 512 KiB. A result may be read by several threads at once.
 *
 * Options. An array of names and values in turn, ended by NULL, or NULL for the defaults. Names and values are
 * those of the options of the command upright (man upright-normalize); a flag has the value "true" or "false".
 * An unknown name or value is an error, and so is a name that the function does not take. Each function lists the
 * names that it takes; these groups recur:
 *
 *   POLICIES  unaligned, lossless-only, content-credentials, strict-orientation, redraw-quality, resolution,
 *             regions
 *   LIMITS    max-pixels, max-scans, max-bytes, memory (in MiB), time-limit (in milliseconds; the library's own)
 *   CHECKS    verify, check-unchanged, require-undo
 *   path      what the report names the file; "-" by default. No file of that name is opened.
 *
 * There is no default for memory and time-limit: set them where files come from strangers, and max-pixels and
 * max-bytes, too.
 *
 * Errors. A result has an error where the file could not be worked on. Its code is an identifier of
 * docs/output.md, such as "truncated", or one of these: "unknown-option", "unknown-value" (of options), "argument"
 * (another argument is not one that there is). A file that is left as it is on purpose is no error; the report says
 * why.
 *
 * Reports. JSON on one line, of the schema upright/1, or upright-verify/2 for upright_verify: docs/output.md and
 * docs/schema describe them. They are the same objects that the command and the HTTP service give.
 *
 * Version. Functions, names and codes are added and not taken away while the number in libupright.so.0 stays.
 */
#ifndef UPRIGHT_H
#define UPRIGHT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call. It does not change any more. */
typedef struct upright_result upright_result;

/* What cancels calls from another thread. */
typedef struct upright_cancellation upright_cancellation;

/* The version of the library, such as "0.1.0". Never freed. */
const char *upright_version(void);

/* -- What is done with a file -----------------------------------------------------------------------------------
 *
 * data          the whole file; NULL only where size is 0
 * size          how many bytes it has
 * options       see above; NULL for the defaults
 * cancellation  what cancels the call; NULL for nothing
 *
 * Each returns a result, and never NULL.
 */

/* Makes a photograph upright. Done twice, it is done once.
 * Options: POLICIES, on-conflict, LIMITS, CHECKS, path. */
upright_result *upright_normalize(const uint8_t *data, size_t size, const char *const *options,
                                  upright_cancellation *cancellation);

/* Reports what upright_normalize would do, from the header. The result has no bytes.
 * data may be the beginning of the file, if it holds everything before the first scan.
 * Options: those of upright_normalize. */
upright_result *upright_plan(const uint8_t *data, size_t size, const char *const *options,
                             upright_cancellation *cancellation);

/* Reports what upright_normalize would do, and what else is in the file, from the header and a few places more.
 * The result has no bytes.
 * Options: those of upright_normalize. */
upright_result *upright_audit(const uint8_t *data, size_t size, const char *const *options,
                              upright_cancellation *cancellation);

/* Rotates what a viewer sees clockwise, whatever the Orientation tag is now; degrees is 90, 180 or 270.
 * Options: POLICIES, LIMITS, CHECKS, path; tag-only (the tag changes alone), dry-run (report only). */
upright_result *upright_rotate(const uint8_t *data, size_t size, int degrees, const char *const *options,
                               upright_cancellation *cancellation);

/* What is swapped in a flip. */
typedef int upright_axis;
enum {
  UPRIGHT_HORIZONTAL = 0, /* left and right */
  UPRIGHT_VERTICAL = 1,   /* top and bottom */
  UPRIGHT_TRANSPOSE = 2,  /* the corners at the top right and the bottom left */
  UPRIGHT_TRANSVERSE = 3  /* the corners at the top left and the bottom right */
};

/* Flips what a viewer sees, whatever the Orientation tag is now.
 * Options: those of upright_rotate. */
upright_result *upright_flip(const uint8_t *data, size_t size, upright_axis axis, const char *const *options,
                             upright_cancellation *cancellation);

/* A rectangle in pixels of the upright image, the origin at the top left. */
typedef struct upright_rectangle {
  int64_t x, y, width, height;
} upright_rectangle;

/* Crops to a rectangle, and makes upright on the way. There is no undo data.
 * Options: POLICIES, LIMITS, CHECKS, path; snap (grow, shrink or exact), dry-run (report only). */
upright_result *upright_crop(const uint8_t *data, size_t size, upright_rectangle rectangle,
                             const char *const *options, upright_cancellation *cancellation);

/* Compares two files: is the second one the first one made upright? The result has no bytes; the status in its
 * report is the answer. An error is a file that cannot be read.
 * Options: transform, lossless, max-pixels, max-bytes, time-limit, path, result-path. */
upright_result *upright_verify(const uint8_t *original, size_t original_size, const uint8_t *result,
                               size_t result_size, const char *const *options,
                               upright_cancellation *cancellation);

/* Restores the original of a rewritten file from its undo data. They are made for this very file; nothing but a
 * hash of the original, kept by the caller, proves that it is back.
 * Options: max-pixels, max-bytes, time-limit, path. */
upright_result *upright_undo(const uint8_t *data, size_t size, const uint8_t *undo, size_t undo_size,
                             const char *const *options, upright_cancellation *cancellation);

/* -- What is in a result ----------------------------------------------------------------------------------------*/

/* The new file; NULL where the old one stays as it is, and where there is an error. Sets *size where size is not
 * NULL. */
const uint8_t *upright_result_bytes(const upright_result *result, size_t *size);

/* What upright_undo needs; NULL where nothing was rewritten, and where the identical file cannot be restored. Sets
 * *size where size is not NULL. */
const uint8_t *upright_result_undo(const upright_result *result, size_t *size);

/* The report: JSON in UTF-8 without NUL. Never NULL. */
const char *upright_result_report(const upright_result *result);

/* The identifier of the error; NULL where there is none. */
const char *upright_result_error_code(const upright_result *result);

/* The error in English words; NULL where there is none. */
const char *upright_result_error_message(const upright_result *result);

/* The byte of the file where the error was noticed; -1 where that is not known, and where there is none. */
int64_t upright_result_error_offset(const upright_result *result);

/* Frees a result. */
void upright_result_free(upright_result *result);

/* -- Cancellation -----------------------------------------------------------------------------------------------*/

/* Makes a cancellation, for any number of calls at once. */
upright_cancellation *upright_cancellation_create(void);

/* Cancels the calls that were given it, those that are still to come included: their results have the error
 * "cancelled", or are whole where the work was already done. It takes effect within milliseconds, for most
 * photographs, and waits for nothing. */
void upright_cancellation_cancel(upright_cancellation *cancellation);

/* Frees a cancellation. The calls that were given it must have returned. */
void upright_cancellation_free(upright_cancellation *cancellation);

#ifdef __cplusplus
}
#endif

#endif
