# What builds of packages share. Sourced from the folder of the repository, after `set -euo pipefail`.

. tools/lib/programs.sh

# No symbol is exported: no library calls back into the program, and start-up is faster.
link=(-Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker --build-id=none)

# Sets what makes the files of two builds the same.
reproducibly() {
  # A release may be unpacked on the day of its changelog, before the hour that this gives.
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null \
    || dpkg-parsechangelog -l tools/package/debian/changelog -S Timestamp)
  export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8
  umask 022
}

# Makes the portable archive of a folder: archive PARENT NAME.
archive() {
  tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s \
    -cf - "$2" | gzip -9n > "$1/$2.tar.gz"
}
