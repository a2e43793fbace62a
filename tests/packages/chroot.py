"""A bare Debian 12 in a folder: what a freshly installed machine has."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from place import Place

SUITE = "bookworm"


class Chroot(Place):
    """A copy of a cached system with the given Debian packages; commands run inside."""

    def __init__(self, root: Path, packages: tuple = ()):
        self.root = root
        super().__init__(root / "root", "warden", "python3")
        # Only what is inside is seen, so a copy is as good as new.
        subprocess.run(["cp", "-a", _system(packages), root], check=True)

    def environment(self) -> dict:
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                "DEBIAN_FRONTEND": "noninteractive", "PYTHONPATH": "/root/packages"}  # fmt: skip

    def command(self, *words) -> list:
        return inside(self.root, ["env", "-C", "/root", *(str(word) for word in words)])


def inside(root: Path, command: list) -> list:
    """The command with the folder as its whole system, and all it starts gone when it ends."""
    own = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={root}/proc"]
    return [*own, "chroot", str(root), *command]


def _system(packages: tuple) -> Path:
    """The cached system with these packages; made if it is not there."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "tensorwarden"
    bare = _cached(cache / f"chroot-{SUITE}", _bootstrap)
    if not packages:
        return bare
    name = hashlib.sha256(" ".join(sorted(packages)).encode()).hexdigest()[:12]
    return _cached(
        cache / f"chroot-{SUITE}-{name}", lambda folder: _with_packages(bare, packages, folder)
    )


def _cached(folder: Path, make) -> Path:
    if not folder.exists():
        partial = folder.with_name(folder.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.parent.mkdir(parents=True, exist_ok=True)
        make(partial)
        partial.rename(folder)
    return folder


def _bootstrap(folder: Path) -> None:
    _check("debootstrap", "--variant=minbase", SUITE, folder, _mirror())
    shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")
    _check(*inside(folder, ["apt-get", "update"]))
    _check(*inside(folder, ["apt-get", "clean"]))


def _with_packages(bare: Path, packages: tuple, folder: Path) -> None:
    _check("cp", "-a", bare, folder)
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    _check(*inside(folder, ["env", "DEBIAN_FRONTEND=noninteractive", *install]))
    _check(*inside(folder, ["apt-get", "clean"]))


def _mirror() -> str:
    """Where this machine itself gets Debian's packages from."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)"]
    listed = subprocess.run(
        [*command, "Created-By: Packages"], check=True, capture_output=True, text=True
    )
    for line in listed.stdout.splitlines():
        address, suite = line.split()
        if suite == SUITE:
            return address
    raise AssertionError(f"apt on this machine knows no {SUITE}")


def _check(*command) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
