"""What is in each package: hardened programs and libraries, the licenses, a bill of materials."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest
from place import DIST, ROOT, only, version

from support.hardening import has_executable_stack, is_program, lacks

PACKAGES = ["tarball", "deb", *(wheel.name for wheel in sorted(DIST.glob("*.whl")))]


@pytest.fixture(scope="module", params=PACKAGES)
def unpacked(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    if request.param == "tarball":
        tarball = only("tensorwarden-*-Linux-*.tar.gz")
        subprocess.run(["tar", "xzf", tarball, "-C", folder], check=True)
    elif request.param == "deb":
        package = only("tensorwarden_*.deb")
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    else:
        zipfile.ZipFile(DIST / request.param).extractall(folder)
    return folder


def is_carried(path: Path) -> bool:
    """Whether it is a library of others, where auditwheel and our tarball put them."""
    folder = path.parent.name
    return folder == "tensorwarden.libs" or (
        folder == "tensorwarden" and path.name.startswith("lib")
    )


def programs(unpacked: Path) -> list:
    return [path for path in sorted(unpacked.rglob("*")) if is_program(path)]


def test_what_is_ours_is_hardened(unpacked):
    ours = [path for path in programs(unpacked) if not is_carried(path)]
    names = {path.name.partition(".")[0] for path in ours}
    assert "warden" in names
    assert names <= {"warden", "libtensorwarden", "_core", "_s3"}
    assert names & {"libtensorwarden", "_core"}
    assert {str(path): lacks(path) for path in ours if lacks(path)} == {}


def test_what_is_carried_needs_no_executable_stack(unpacked):
    carried = [path for path in programs(unpacked) if is_carried(path)]
    assert [path.name for path in carried if has_executable_stack(path)] == []
    if "usr" not in {path.name for path in unpacked.iterdir()}:  # Debian has them in packages.
        assert carried


def test_licenses_and_the_bill_of_materials_are_inside(unpacked):
    for name in ("LICENSE", "NOTICE"):
        (path,) = unpacked.rglob(name)
        assert path.read_bytes() == (ROOT / name).read_bytes()
    (path,) = unpacked.rglob("tensorwarden.cdx.json")
    bill = json.loads(path.read_text())
    assert bill["metadata"]["component"]["version"] == version()
    assert {"OpenSSL", "SQLite", "uPlot"} <= {one["name"] for one in bill["components"]}
