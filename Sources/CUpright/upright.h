/*
 * libupright: makes JPEG photos upright, losslessly where their size allows it.
 *
 * Functions on bytes take a file as bytes and return a result: the new file, the undo data that restores the original,
 * and a report. They open no files. Functions on files and folders take paths: they replace photos on disk together with
 * the sidecars beside them. No function keeps anything between calls or writes to standard output or standard error.
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
 * Memory. Arguments belong to the caller. They must not change until the function returns, and may be freed then.
 * A returned handle belongs to the caller, who frees it with the function of the same prefix; these functions ignore
 * NULL. What is read from a result belongs to the result and is valid until the result is freed. Where the system refuses
 * memory, the process ends: Swift's runtime reports no failed allocation to its callers. Files that would need more
 * than the option memory are skipped, so set it below the limit of the process; it holds for each call.
 *
 * Threads. Any thread may call any function at any time; there is no initialization. A function works in the calling
 * thread, which needs a stack of at least 512 KiB. Several threads may read a result at the same time. A process that is
 * forked while a function works in another thread, or while results of a folder are not freed, has what those threads have
 * begun and nobody ends, such as the first use of a table: a function may wait for it forever. Such a process must not call
 * functions of this library before it has called exec; one that is forked at another time may.
 *
 * Options. An array of alternating names and values that ends with NULL, or NULL for the defaults. Names and values are
 * those of the options of the command upright (man upright-normalize); a flag has the value "true" or "false".
 * An unknown name or value is an error, and so is an option that the function does not have. If the first option is
 * spelling, with the value kebab, snake or camel, the names after it are spelled like on-conflict, on_conflict or
 * onConflict, and those in messages, too. upright_describe returns what each option does. Each function lists its
 * options; these groups recur:
 *
 *   POLICIES  unaligned: redraw (default), trim, skip, fail
 *             content-credentials: skip (default), keep, strip
 *             registered-data: skip (default), keep
 *             redraw-quality: standard (default), compact, max
 *             resolution: keep (default), follow
 *             regions: auto (default), keep, follow
 *             lossless-only, strict-orientation, reset-invalid: true or false
 *   LIMITS    max-pixels, max-scans, max-bytes, memory (in MiB), time-limit (in milliseconds)
 *   CHECKS    verify: restore (default), reference, none
 *             check-unchanged, require-undo: true or false
 *   path      the name of the file in the report; "-" by default. Functions on bytes do not open it.
 *
 * memory and time-limit have no default. For untrusted files, set them, max-pixels and max-bytes.
 *
 * Errors. A result has an error if the file could not be processed. Its code is an identifier in docs/identifiers.md,
 * such as "truncated", or "unknown-option", "unknown-value" (both of options) or "argument" (another argument is
 * invalid). A skipped file is not an error; the report gives the reason.
 *
 * Reports. JSON on one line, of the schema upright/2, or upright-verify/2 for upright_verify: docs/output.md and
 * docs/schema describe them. The command and the HTTP service report the same objects; only texts of the command
 * name options.
 *
 * Version. While the number in libupright.so.0 is the same, functions, names and codes may be added, not removed.
 */
#ifndef UPRIGHT_H
#define UPRIGHT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call. It is immutable. */
typedef struct upright_result upright_result;

/* Cancels calls from another thread. */
typedef struct upright_cancellation upright_cancellation;

/* The version of this header, for the preprocessor: #if UPRIGHT_VERSION_NUMBER >= 300 is version 0.3.0 or newer. */
#define UPRIGHT_VERSION_MAJOR 0
#define UPRIGHT_VERSION_MINOR 3
#define UPRIGHT_VERSION_PATCH 0
#define UPRIGHT_VERSION_NUMBER \
  (UPRIGHT_VERSION_MAJOR * 10000 + UPRIGHT_VERSION_MINOR * 100 + UPRIGHT_VERSION_PATCH)

/* The version of the library that runs, such as "0.3.0". Never freed. */
const char *upright_version(void);

/* All options as JSON: each with what it decides, its values, its default and the functions that take it. Never freed. */
const char *upright_describe(void);

/* -- Processing a file -------------------------------------------------------------------------------------------
 *
 * data          the whole file; NULL only where size is 0
 * size          how many bytes it has; a size that no file can have, such as (size_t)-1, is the error "limit"
 * options       see above; NULL for the defaults
 * cancellation  cancels the call; may be NULL
 *
 * Each returns a result, never NULL.
 */

/* Normalizes the orientation of a photo. A second call changes nothing.
 * Options: POLICIES, on-conflict, LIMITS, CHECKS, path. */
upright_result *upright_normalize(const uint8_t *data, size_t size, const char *const *options,
                                  upright_cancellation *cancellation);

/* Reports what upright_normalize would do, from the header. The result has no bytes.
 * data may be the beginning of the file, if it holds everything before the first scan.
 * Options: those of upright_normalize. */
upright_result *upright_plan(const uint8_t *data, size_t size, const char *const *options,
                             upright_cancellation *cancellation);

/* Reports what upright_normalize would do, and what else is in the file, from the header and a few other reads.
 * The result has no bytes.
 * Options: those of upright_normalize. */
upright_result *upright_audit(const uint8_t *data, size_t size, const char *const *options,
                              upright_cancellation *cancellation);

/* Rotates the displayed image clockwise, whatever its Orientation is; degrees is 90, 180 or 270.
 * Options: POLICIES, LIMITS, CHECKS, path; tag-only (changes only the tag), dry-run (report only). */
upright_result *upright_rotate(const uint8_t *data, size_t size, int degrees, const char *const *options,
                               upright_cancellation *cancellation);

/* What a flip swaps. */
typedef int upright_axis;
enum {
  UPRIGHT_HORIZONTAL = 0, /* left and right */
  UPRIGHT_VERTICAL = 1,   /* top and bottom */
  UPRIGHT_TRANSPOSE = 2,  /* the corners at the top right and the bottom left */
  UPRIGHT_TRANSVERSE = 3  /* the corners at the top left and the bottom right */
};

/* Flips the displayed image, whatever its Orientation is.
 * Options: those of upright_rotate. */
upright_result *upright_flip(const uint8_t *data, size_t size, upright_axis axis, const char *const *options,
                             upright_cancellation *cancellation);

/* A rectangle in pixels of the upright image, the origin at the top left. */
typedef struct upright_rectangle {
  int64_t x, y, width, height;
} upright_rectangle;

/* Crops the displayed image to a rectangle, and normalizes the orientation. There is no undo data.
 * Options: POLICIES, LIMITS, CHECKS, path; snap (grow, shrink or exact), dry-run (report only). */
upright_result *upright_crop(const uint8_t *data, size_t size, upright_rectangle rectangle,
                             const char *const *options, upright_cancellation *cancellation);

/* Verifies that the second file is the first one normalized. The result has no bytes; the status in its report is
 * the verdict. A file that cannot be read is an error.
 * Options: transform, lossless, registered-data, max-pixels, max-bytes, time-limit, path, result-path. */
upright_result *upright_verify(const uint8_t *original, size_t original_size, const uint8_t *result,
                               size_t result_size, const char *const *options,
                               upright_cancellation *cancellation);

/* Restores the original of a rewritten file from its undo data. The undo data fits only this file. To prove
 * that the original is restored, the caller compares a hash of it. Undo data of more than 16 MiB plus twice the file
 * is the error "limit".
 * Options: max-pixels, max-bytes, time-limit, path. */
upright_result *upright_undo(const uint8_t *data, size_t size, const uint8_t *undo, size_t undo_size,
                             const char *const *options, upright_cancellation *cancellation);

/* -- Photos on disk ----------------------------------------------------------------------------------------------
 *
 * path          the photo; of a symbolic link, the file that it leads to is replaced
 * output        the file to write, which must not exist unless overwrite is set; NULL to replace the photo. It gets the
 *               sidecars of the photo, too. A photo that stays as it is is copied.
 * record        the record file, which is created or appended to: the undo data of photo and sidecars is on the disk
 *               before a file is replaced; NULL for none. upright undo of the command reads it, too.
 * options       those of the function on bytes, but path, and of this group:
 *
 *   FILES     sidecars: update (default), report, ignore
 *             hard-links: refuse (default), break
 *             read-only: skip (default), rewrite
 *             times: visible (default), keep, now
 *             embed-undo, overwrite: true or false
 *             backup
 *
 * A file is replaced atomically, also if the machine stops at that moment, and keeps its owner, rights, extended attributes
 * and, as far as others see the change, its times. If a sidecar cannot be updated, or an edit beside the photo would no
 * longer fit, the photo is skipped, and the report gives the reason. Reports have the list companions: what became of each
 * file beside the photo. Results have neither bytes nor undo data. An error means that the photo is as it was, unless its
 * code says otherwise. Each returns a result, never NULL. A NULL path is the error "argument".
 */

/* Normalizes a photo on disk, with its sidecars.
 * Options: those of upright_normalize, but path; FILES. */
upright_result *upright_normalize_file(const char *path, const char *output, const char *record,
                                       const char *const *options, upright_cancellation *cancellation);

/* Reports what upright_normalize_file would do, and writes nothing.
 * Options: those of upright_normalize_file. */
upright_result *upright_plan_file(const char *path, const char *output, const char *const *options,
                                  upright_cancellation *cancellation);

/* Rotates the displayed image of a photo on disk clockwise; degrees is 90, 180 or 270.
 * Options: those of upright_rotate, but path; FILES. A dry run writes no record. */
upright_result *upright_rotate_file(const char *path, const char *output, const char *record, int degrees,
                                    const char *const *options, upright_cancellation *cancellation);

/* Flips the displayed image of a photo on disk.
 * Options: those of upright_rotate_file. */
upright_result *upright_flip_file(const char *path, const char *output, const char *record, upright_axis axis,
                                  const char *const *options, upright_cancellation *cancellation);

/* Crops the displayed image of a photo on disk. There is no undo data, so there is no record.
 * Options: those of upright_crop, but path; FILES without embed-undo. */
upright_result *upright_crop_file(const char *path, const char *output, upright_rectangle rectangle,
                                  const char *const *options, upright_cancellation *cancellation);

/* Restores the original of a photo on disk, byte for byte, and in place those of its sidecars: from a record file, also if
 * the photo was moved, or with record NULL from the undo data in the photo itself. The record is read completely. The
 * status of a photo without a record is "skipped", or if a line of the record is damaged, the error of that line.
 * Options: those of upright_undo, but path; hard-links, read-only, times, overwrite; without-sidecars (restores the photo alone). */
upright_result *upright_restore_file(const char *path, const char *output, const char *record,
                                     const char *const *options, upright_cancellation *cancellation);

/* The results of a folder, as they come. */
typedef struct upright_results upright_results;

/* Normalizes all photos below a folder in place, as upright_normalize_file does each, on threads of its own: jobs photos at
 * once, 0 for as many as there are cores. Photos are found by their names; temporary files, backups and folders of systems
 * are none; temporary files that killed runs left are removed. The option memory limits all of them together. A cancelled
 * call begins no more photos, and ends with the error "cancelled" if one is left. If another program removes, replaces or empties
 * the record meanwhile, the last result is an error with the path of the record. Never returns NULL.
 * Options: those of upright_normalize_file. */
upright_results *upright_normalize_folder(const char *folder, const char *record, int jobs,
                                          const char *const *options, upright_cancellation *cancellation);

/* Reports what upright_normalize_folder would do, and writes nothing.
 * Options: those of upright_normalize_file. */
upright_results *upright_plan_folder(const char *folder, int jobs, const char *const *options,
                                     upright_cancellation *cancellation);

/* Restores all photos below a folder in place, as upright_restore_file does each; the record is read once. A photo without a
 * record is "unchanged", and a copy of one that still exists where it was rewritten is "skipped". Damaged lines of the record are
 * the first results, errors with the path of the record.
 * Options: those of upright_restore_file. */
upright_results *upright_restore_folder(const char *folder, const char *record, int jobs,
                                        const char *const *options, upright_cancellation *cancellation);

/* Waits for the next result, in the order of the photos, which the caller frees; NULL after the last one: then ask
 * upright_results_error whether it is that of the last photo. A photo that failed has a result with an error. The work is only
 * a few photos ahead of the caller. */
upright_result *upright_results_next(upright_results *results);

/* Why the work did not begin: an option is invalid, or the record file cannot be opened; or why it ended before the last photo:
 * it was cancelled. NULL if it did neither. The result belongs to the results. */
const upright_result *upright_results_error(const upright_results *results);

/* Frees the results. Work that is not done ends after the photos that are begun. No other thread may use the results
 * meanwhile, and no process that was forked since, which has none of the threads that do the work. */
void upright_results_free(upright_results *results);

/* -- Reading a result -------------------------------------------------------------------------------------------*/

/* The new file; NULL if the file is unchanged or there is an error. Sets *size if size is not NULL. */
const uint8_t *upright_result_bytes(const upright_result *result, size_t *size);

/* The undo data for upright_undo; NULL if nothing was rewritten or the identical file cannot be restored. Sets *size
 * if size is not NULL. */
const uint8_t *upright_result_undo(const upright_result *result, size_t *size);

/* The report: JSON in UTF-8 without NUL. Never NULL. */
const char *upright_result_report(const upright_result *result);

/* The status in the report, such as "normalized", "already-upright" or "skipped"; of upright_verify, such as "proven"
 * or "not-proven". Never NULL. */
const char *upright_result_status(const upright_result *result);

/* How the stored image is transformed, such as "rotate-90"; NULL if it is not. */
const char *upright_result_transform(const upright_result *result);

/* The format of the new file, or of the given one if there is none, by its content, such as "jpeg" or "heic", and its media
 * type, such as "image/jpeg"; NULL if it is not known. */
const char *upright_result_format(const upright_result *result);
const char *upright_result_media_type(const upright_result *result);

/* The width and height in pixels, as they are stored, of the image in the new file, or in the given one if there is none;
 * for a plan or an audit, as normalize would make it. 0 if it is not known. */
int64_t upright_result_width(const upright_result *result);
int64_t upright_result_height(const upright_result *result);

/* The identifier of the error; NULL if there is none. */
const char *upright_result_error_code(const upright_result *result);

/* The error in English; NULL if there is none. */
const char *upright_result_error_message(const upright_result *result);

/* The byte in the file at which the error was found; -1 if it is not known or there is no error. */
int64_t upright_result_error_offset(const upright_result *result);

/* Frees a result. */
void upright_result_free(upright_result *result);

/* -- Cancellation -----------------------------------------------------------------------------------------------*/

/* Makes a cancellation for any number of calls. */
upright_cancellation *upright_cancellation_create(void);

/* Cancels all calls that have this cancellation, including future ones. Their results have the error "cancelled", or
 * are complete if the work was already done. Returns at once; for most photos, the calls end within milliseconds. */
void upright_cancellation_cancel(upright_cancellation *cancellation);

/* Frees a cancellation. All calls that have it must have returned. */
void upright_cancellation_free(upright_cancellation *cancellation);

#ifdef __cplusplus
}
#endif

#endif
