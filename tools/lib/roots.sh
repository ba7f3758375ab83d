# Roots of Debian: folders with a system of their own. Sourced from the folder of the repository, after `set -euo pipefail`.

toolName=tools/$(basename "$(dirname "${BASH_SOURCE[1]}")")/$(basename "${BASH_SOURCE[1]}")

# Ends a script that cannot run here.
leave() {
  echo "$toolName: skipped: $1"
  exit 77
}

# Runs the script again in a mount namespace of its own, with a folder for its files, which is $temporary. All mounts end with
# it, and only then are files deleted.
alone() {
  local status=0
  temporary=${UPRIGHT_ALONE:-}
  [ -z "$temporary" ] || return 0
  [ "$(id -u)" -eq 0 ] || leave "a root cannot be made without root: run it as root"
  command -v mmdebstrap > /dev/null || leave "there is no mmdebstrap: tools/setup --checks"
  unshare --mount true 2> /dev/null || leave "no root can be made without the right to mount: use a machine that allows it"
  UPRIGHT_ALONE=$(mktemp -d)
  export UPRIGHT_ALONE
  trap 'rm -rf --one-file-system "$UPRIGHT_ALONE"' EXIT
  unshare --mount --propagation private "$toolName" "$@" || status=$?
  exit $status
}

# Makes a folder with a suite of Debian by mmdebstrap, unless it is there: make_root FOLDER SUITE OPTION…
make_root() {
  local folder=$1
  shift
  [ ! -d "$folder" ] || return 0
  mkdir -p "$(dirname "$folder")"
  rm -rf --one-file-system "$folder.new"
  mmdebstrap --quiet "${@:2}" "$1" "$folder.new" > "$folder.log" 2>&1 ||
    { tail -n 3 "$folder.log"; leave "no root can be made without a mirror of Debian: check the network"; }
  mv "$folder.new" "$folder"
}

# Mounts a folder of this system in $root, at its own path or at another.
bind() { mkdir -p "$root${2:-$1}" && mount --bind "$1" "$root${2:-$1}"; }

# Mounts in $root what a system has, and the local copies of packages that `git config url.*.insteadOf` names.
mount_system() {
  local key value copies
  mount --rbind /dev "$root/dev"
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  cp /etc/resolv.conf "$root/etc/resolv.conf" 2> /dev/null || true
  rm -f "$root/etc/gitconfig"
  { git config --get-regexp '^url\..*\.insteadof$' || true; } | while read -r key value; do
    copies=${key#url.}
    copies=${copies%.insteadof}
    [ -d "$copies" ] || continue
    mountpoint -q "$root$copies" || bind "$copies"
    git config --file "$root/etc/gitconfig" --add "url.$copies.insteadOf" "$value"
    git config --file "$root/etc/gitconfig" safe.directory '*'
  done
}

# Makes $root a Debian sid with the Swift of Debian, in .build/debian, and mounts the repository as /src there. It is used again.
swift_root() {
  root=$PWD/.build/debian/root
  # The lists of a snapshot of the mirror are older than apt accepts.
  make_root "$root" sid --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' --include=ca-certificates,git,swiftlang
  mount_system
  bind "$PWD" /src
}

# Runs a command as root in /src of this root. Options of env, such as -C FOLDER, may precede it.
inside() {
  chroot "$root" env -i -C /src HOME=/root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} env "$@"
}
