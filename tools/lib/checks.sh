# What checks in bash share. Sourced from the folder of the repository, after `set -euo pipefail`.

# The program under test, and the name of the check.
upright=$(realpath -m "${UPRIGHT_BINARY:-.build/release/upright}")
checkName=tools/$(basename "$(dirname "${BASH_SOURCE[1]}")")/$(basename "${BASH_SOURCE[1]}")
failed=0

fail() {
  echo "FAILED: $*"
  failed=1
}
# Says that a part is skipped, which is a failure if nothing may be.
skip() {
  echo "$checkName: skipped: $*"
  [ -z "${UPRIGHT_REQUIRE_CHECKS:-}" ] || failed=1
}
# Whether a program is installed; if it is not, what needs it is skipped.
have() {
  command -v "$1" > /dev/null && return
  skip "there is no $1: ${2:-tools/setup --checks}"
  return 1
}
# Prints the result, and ends.
finish() {
  [ $failed -ne 0 ] || echo "$checkName: ${1:-all well}"
  exit $failed
}
