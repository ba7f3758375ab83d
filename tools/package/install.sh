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

find bin lib share -type f -o -type l | while read -r file; do
  if [ $action = uninstall ]; then
    rm -f "$prefix/$file"
  else
    mkdir -p "$prefix/$(dirname "$file")"
    cp -P "$file" "$prefix/$file.new"
    mv "$prefix/$file.new" "$prefix/$file"
  fi
done
if [ $action = uninstall ]; then
  echo "Removed upright from $prefix"
  exit 0
fi
# Fails now, not at the first photo, if a library is missing.
echo "Installed upright $("$prefix/bin/upright" --version) into $prefix"
