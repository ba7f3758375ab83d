# What builds for Linux on arm64, on x86-64, share. Sourced from the folder of the repository; who makes the SDK needs roots.sh.

. tools/lib/programs.sh

# Where the SDK is, and in it the libraries to link with.
arm64_sdk=.build/debian/sdk
arm64_sysroot=$arm64_sdk/debian-arm64.artifactbundle/debian-arm64/sysroot
# Options of swift build in the root.
arm64_options=(-c release --scratch-path .build/arm64 --swift-sdks-path /sdk --swift-sdk debian-arm64
  --disable-local-rpath -Xswiftc -gnone "${compile[@]}")

# Makes a Swift SDK of Debian's packages in .build/debian, unless it is there, with the Swift of the root, and mounts it at /sdk.
# With libheif, which the command loads where it runs in an emulator.
make_arm64_sdk() {
  local bundle=$arm64_sdk/debian-arm64.artifactbundle new=$arm64_sdk/new swift link target
  local sysroot=$new/debian-arm64/sysroot
  if [ -d "$bundle" ]; then
    bind "$PWD/$arm64_sdk" /sdk
    return
  fi
  rm -rf $arm64_sdk
  make_root "$sysroot" bookworm --variant=extract --architectures=arm64 \
    --include=libc6-dev,libstdc++-12-dev,libturbojpeg0-dev,libexif-dev,libexpat1-dev,nettle-dev,zlib1g-dev,libheif1
  # The linker would not find what links from the root of the system name, and take the static libraries.
  find "$sysroot" -type l -lname '/*' | while read -r link; do
    target=$sysroot$(readlink "$link")
    [ ! -e "$target" ] || ln -sfnr "$target" "$link"
  done
  swift=$(inside dpkg-query -W -f '${Version}' swiftlang)
  inside dpkg --add-architecture arm64
  inside apt-get update -qq
  inside -C /src/$arm64_sdk apt-get download -qq "swiftlang:arm64=$swift"
  dpkg-deb --fsys-tarfile $arm64_sdk/swiftlang_*.deb |
    tar -x -C "$sysroot" --exclude=host --exclude=embedded ./usr/libexec/swift/lib/{swift,swift_static,clang}
  rm $arm64_sdk/swiftlang_*.deb
  # Where the compiler looks for them.
  ln -s ../libexec/swift/lib/swift ../libexec/swift/lib/swift_static "$sysroot/usr/lib"
  cp tools/package/arm64-sdk/{swift-sdk,toolset}.json $new/debian-arm64
  cp tools/package/arm64-sdk/info.json $new
  mv $new "$bundle"
  bind "$PWD/$arm64_sdk" /sdk
}

# Lets the kernel start programs for arm64, with qemu, until the script ends, if it does not.
emulate_arm64() {
  local emulator formats=/proc/sys/fs/binfmt_misc
  local refusal="programs for arm64 cannot be started here: run it as root on a machine that allows it"
  local magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  local mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  command -v arch-test > /dev/null || leave "there is no arch-test: tools/setup --checks"
  emulator=$(command -v qemu-aarch64-static) || leave "there is no qemu-aarch64-static: tools/setup --checks"
  ! arch-test arm64 > /dev/null 2>&1 || return 0
  [ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats 2> /dev/null || leave "$refusal"
  # F: the kernel opens it now, so that it is found in a root, too.
  echo ":upright-arm64:M::$magic:$mask:$emulator:F" > $formats/register 2> /dev/null || leave "$refusal"
  trap 'echo -1 > /proc/sys/fs/binfmt_misc/upright-arm64' EXIT
}
