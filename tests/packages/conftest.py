"""Tests of what `make wheel`, `make sdist` and `make package` have put into dist/, each in a place
that has nothing else of ours. Run by tools/test_packages.sh alone: they need these packages."""

import os
import shutil
import subprocess

import pytest
from chroot import Chroot
from place import Place

if "WARDEN_PACKAGES" not in os.environ:
    collect_ignore_glob = ["*_test.py"]


@pytest.fixture
def environment(tmp_path):
    """Makes a virtual environment: environment(python, *options of venv)."""

    def make(python, *options: str) -> Place:
        folder = tmp_path / "venv"
        subprocess.run([python, "-m", "venv", *options, folder], check=True)
        return Place(tmp_path, folder / "bin" / "warden", folder / "bin" / "python")

    return make


@pytest.fixture
def chroot(tmp_path):
    """A bare Debian 12 to spoil, as root: chroot(Debian packages that are needed)."""
    made = []

    def make(*packages: str) -> Chroot:
        if os.geteuid() != 0:
            assert "CI" not in os.environ, "these tests need root"
            pytest.skip("a chroot needs root")
        made.append(Chroot(tmp_path / "chroot", packages))
        return made[-1]

    yield make
    for one in made:
        shutil.rmtree(one.root)
