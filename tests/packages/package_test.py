"""The tarball and the Debian package, in a bare Debian 12."""

import shutil
import subprocess
import sys

from place import ROOT, XGBOOST, only

# What the Debian package depends on; installed once, into a system that is cached.
DEPENDENCIES = ("python3", "python3-numpy", "libcurl4", "libsqlite3-0", "libpcre2-8-0", "libhwy1",
                "libsimdjson14", "libspdlog1.10", "libgomp1")  # fmt: skip


def test_the_tarball_runs_where_it_is_unpacked(chroot):
    place = chroot()
    tarball = only("tensorwarden-*-Linux-*.tar.gz")
    prefix = place.root / "opt" / "tensorwarden"
    prefix.mkdir()
    subprocess.run(["tar", "xzf", tarball, "--strip-components=1", "-C", prefix], check=True)
    assert (prefix / "share/doc/tensorwarden/LICENSE").exists()
    place.warden = "/opt/tensorwarden/bin/warden"
    place.check_program()

    # The example is built against what the tarball has, and runs where no compiler is.
    example = ROOT / "examples" / "cpp"
    subprocess.run(
        ["c++", "-std=c++20", *example.glob("*.cc"), f"-I{prefix}/include", f"-L{prefix}/lib",
         "-ltensorwarden", f"-Wl,-rpath-link,{prefix}/lib/tensorwarden",
         "-Wl,-rpath,/opt/tensorwarden/lib", "-o", place.folder / "train"],
        check=True,
    )  # fmt: skip
    place.run(place.warden, "run", "--out", "run", "--", "./train")
    assert place.tensors("run")


def test_the_debian_package(chroot):
    place = chroot(*DEPENDENCIES)
    shutil.copy(only("tensorwarden_*.deb"), place.root / "root" / "tensorwarden.deb")
    place.run("apt-get", "install", "-y", "--no-install-recommends", "./tensorwarden.deb")
    place.check_program()
    packages = place.root / "root" / "packages"
    install = [sys.executable, "-m", "pip", "install", "-q", "--target", packages, XGBOOST]
    subprocess.run(install, check=True)
    place.check_xgboost()
    place.run("apt-get", "remove", "-y", "tensorwarden")
    assert not (place.root / "usr/lib/python3/dist-packages/tensorwarden").exists()
    assert not (place.root / "usr/bin/warden").exists()
