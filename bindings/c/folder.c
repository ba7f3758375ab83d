/*
 * Normalizes the photos of a folder in place, with their sidecars, so that an undo restores both, and prints the reports.
 *
 *   cc folder.c $(pkg-config --cflags --libs upright) -o folder
 *   ./folder photos record.ndjson
 */
#include <stdio.h>
#include <upright.h>

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: folder FOLDER RECORD\n");
    return 64;
  }
  upright_results *results = upright_normalize_folder(argv[1], argv[2], 0, NULL, NULL);
  int status = 0;
  upright_result *result;
  while ((result = upright_results_next(results)) != NULL) {
    if (upright_result_error_code(result) != NULL) status = 2;
    puts(upright_result_report(result));
    upright_result_free(result);
  }
  const upright_result *error = upright_results_error(results);
  if (error != NULL) {
    fprintf(stderr, "%s\n", upright_result_error_message(error));
    status = 2;
  }
  upright_results_free(results);
  return status;
}
