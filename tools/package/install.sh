#!/bin/sh
# Installs this folder's programs with their manual pages and completions.
#
#   ./install.sh [PREFIX]               into PREFIX; by default /usr/local
#   ./install.sh --uninstall [PREFIX]   removes it again
set -eu
cd "$(dirname "$0")"
action=install
case ${1:-} in
  --uninstall) action=uninstall; shift ;;
  -*) sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' install.sh; exit 64 ;;
esac
prefix=${1:-/usr/local}
# The folders that it made, and removes if they are empty.
made=$prefix/share/upright/made-folders

if [ $action = uninstall ]; then
  folders=$(sort -r "$made" 2> /dev/null || :)
  rm -f "$made"
  find bin lib share -type f -o -type l | while read -r file; do rm -f "$prefix/$file"; done
  for folder in $folders; do rmdir "$prefix/$folder" 2> /dev/null || :; done
  echo "Removed upright from $prefix"
  exit 0
fi
# Fails now, not at the first photo, if a library is missing.
version=$(bin/upright --version) || {
  echo "install.sh: nothing was installed, because the program does not start. The libraries that it needs:" >&2
  ldd bin/upright >&2 || :
  exit 1
}
for folder in $(find bin lib share -type d | sort); do
  [ -d "$prefix/$folder" ] || { mkdir -p "$prefix/$folder" && new="${new:-}$folder
"; }
done
printf %s "${new:-}" >> "$made"
find bin lib share -type f -o -type l | while read -r file; do
  cp -P "$file" "$prefix/$file.new"
  mv "$prefix/$file.new" "$prefix/$file"
done
echo "Installed upright $version into $prefix"
