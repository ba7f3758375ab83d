"""File systems that a check mounts, as root: images in files, and programs that serve another folder (FUSE)."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

DEVNULL = subprocess.DEVNULL


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, check=True, stdin=DEVNULL, **options)


class Mount:
    """A mounted file system, in a folder of its own; `path` is its root, `source` what it shows, if that is a folder."""

    # The programs that each kind needs.
    NEEDS = {
        "exFAT": ["mkfs.exfat", "mount.exfat-fuse"], "NTFS": ["mkfs.ntfs", "ntfs-3g"], "mergerfs": ["mergerfs"],
        "bindfs": ["bindfs"], "sshfs": ["sshfs", "ssh-keygen", "/usr/sbin/sshd"], "rclone": ["rclone"],
        "overlayfs": [], "Btrfs": ["mkfs.btrfs"], "XFS": ["mkfs.xfs"], "ext4": ["mkfs.ext4"], "tmpfs": [],
    }

    def __init__(self, kind, megabytes=64):
        self.kind = kind
        self.base = Path(tempfile.mkdtemp(prefix="upright-mount-"))
        self.path = self.base / "mount"
        self.source = self.base / "source"
        self.path.mkdir()
        self.source.mkdir()
        self.loop = None
        self.size = max(megabytes, {"Btrfs": 128, "XFS": 320}.get(kind, 0))
        self.server = None

    @staticmethod
    def missing(kind):
        """The program that is missing, if one is."""
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        return next((each for each in Mount.NEEDS[kind] if not shutil.which(each, path=path)), None)

    def __enter__(self):
        try:
            getattr(self, "mount_" + self.kind.lower())()
            for _ in range(50):
                if os.path.ismount(self.path):
                    return self
                time.sleep(0.1)
            raise OSError(f"{self.kind} is not mounted")
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for path in (self.path, self.source):
            self.leave(path)
        if self.loop:
            subprocess.run(["losetup", "-d", self.loop], capture_output=True, check=False)
        if self.server:
            self.server.terminate()
            self.server.wait()
        time.sleep(0.2)
        shutil.rmtree(self.base, ignore_errors=True)

    @staticmethod
    def leave(path):
        # Nothing can be found out of a mount whose program has ended.
        while subprocess.run(["umount", "-l", path], capture_output=True, check=False).returncode == 0:
            pass

    def again(self):
        """Mounts it again after the program that serves it has ended."""
        self.leave(self.path)
        getattr(self, "mount_" + self.kind.lower())()

    def daemon(self):
        """The number of the process that serves the file system, or None."""
        for process in Path("/proc").iterdir():
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if process.name.isdigit() and os.fsencode(self.path) in words:
                return int(process.name)
        return None

    def image(self, *make):
        image = self.base / "image"
        with open(image, "wb") as file:
            file.truncate(self.size << 20)
        run(*make, image)
        return image

    def mount_image(self, *make):
        run("mount", "-o", "loop", self.image(*make), self.path)

    def mount_exfat(self):
        self.loop = run("losetup", "-f", "--show", self.image("mkfs.exfat"), text=True).stdout.strip()
        run("mount.exfat-fuse", self.loop, self.path)

    def mount_ntfs(self):
        run("ntfs-3g", self.image("mkfs.ntfs", "-F", "-Q"), self.path)

    def limit(self):
        """Makes the source small, so that it can be full."""
        if not os.path.ismount(self.source):
            run("mount", "-t", "tmpfs", "-o", f"size={self.size}m", "none", self.source)

    def mount_mergerfs(self):
        self.limit()
        run("mergerfs", "-o", "minfreespace=0", self.source, self.path)

    def mount_bindfs(self):
        run("bindfs", self.source, self.path)

    def mount_rclone(self):
        run("rclone", "mount", self.source, self.path, "--cache-dir", self.base / "cache", "--vfs-cache-mode", "writes",
            "--daemon")

    def mount_sshfs(self):
        for name in ("key", "host"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.base / name)
        os.makedirs("/run/sshd", exist_ok=True)
        port = 20000 + os.getpid() % 20000
        self.server = subprocess.Popen(
            ["/usr/sbin/sshd", "-D", "-p", str(port), "-h", self.base / "host", "-o", "ListenAddress=127.0.0.1", "-o",
             f"AuthorizedKeysFile={self.base / 'key.pub'}", "-o", "StrictModes=no", "-o", "PidFile=none", "-o", "UsePAM=no"],
            stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
        time.sleep(1)
        run("sshfs", "-p", port, "-o", f"IdentityFile={self.base / 'key'},StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null",
            f"root@127.0.0.1:{self.source}", self.path)

    def mount_overlayfs(self):
        run("mount", "-t", "tmpfs", "none", self.source)
        for name in ("lower", "upper", "work"):
            (self.source / name).mkdir()
        run("mount", "-t", "overlay", "-o", ",".join(f"{name}dir={self.source / name}" for name in ("lower", "upper", "work")),
            "none", self.path)

    def mount_btrfs(self):
        self.mount_image("mkfs.btrfs", "-q")

    def mount_xfs(self):
        self.mount_image("mkfs.xfs", "-q")

    def mount_ext4(self):
        self.mount_image("mkfs.ext4", "-q")

    def mount_tmpfs(self):
        run("mount", "-t", "tmpfs", "none", self.path)
