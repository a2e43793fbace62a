"""The source package: pip builds it without Node.js, and without anything of this source tree."""

import os
import subprocess
from pathlib import Path

import pytest
from place import ROOT, XGBOOST, Place, only, version

# Node.js is not among them, and nothing else that developers have.
TOOLS = (
    "c++ g++ gcc cc as ld ar ranlib nm strip objcopy gcc-ar gcc-ranlib gcc-nm cmake ninja "
    "pkg-config ccache sh env mount uname"
).split()


def sources() -> Path:
    return only(f"tensorwarden-{version()}.tar.gz")


def test_it_is_small_and_has_the_pages():
    listed = subprocess.run(["tar", "tzf", sources()], check=True, capture_output=True, text=True)
    names = {name.partition("/")[2] for name in listed.stdout.split()}
    assert sources().stat().st_size < 3_000_000
    assert {"web/dist/dashboard/app.js", "web/dist/ReportScript.js", "LICENSE"} <= names
    assert not [name for name in names if "_test.cc" in name or name.startswith("tests/")]


def test_pip_builds_it_without_node(environment, tmp_path):
    if os.geteuid() != 0:
        assert "CI" not in os.environ, "this test needs root"
        pytest.skip("hiding the source tree needs root")
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    subprocess.run(["tar", "xzf", sources(), "--strip-components=1", "-C", unpacked], check=True)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in TOOLS:
        (tools / name).symlink_to(f"/usr/bin/{name}")
    constraints = tmp_path / "constraints.txt"
    constraints.write_text((ROOT / "tools" / "requirements-build.in").read_text())

    class Hidden(Place):
        """Where our source tree was there is the unpacked package: nothing else of it can help,
        and the compiler cache knows what it compiles."""

        def environment(self) -> dict:
            path = f"{tools}:{self.folder}/venv/bin"
            return {**super().environment(), "PATH": path, "PIP_CONSTRAINT": str(constraints),
                    "CXX": "/usr/bin/c++"}  # fmt: skip

        def command(self, *words) -> list:
            script = 'mount --bind "$0" "$1" && shift && exec "$@"'
            own = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, unpacked, ROOT]
            return super().command(*own, *words)

    place = environment("/usr/bin/python3")
    hidden = Hidden(place.folder, place.warden, place.python)
    hidden.pip_install(ROOT)
    place.pip_install(XGBOOST)
    place.check_program()
    place.check_xgboost()


def test_a_build_without_pages_says_so(tmp_path):
    """Without Node.js and without bundled pages, the program is whole but for these."""
    build = ROOT / "build" / "no-pages"
    options = ["-DWARDEN_WEB=OFF", "-DWARDEN_TESTS=OFF", "-DWARDEN_UNITY=ON"]
    for command in (
        ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options],
        ["cmake", "--build", build, "--target", "warden"],
    ):
        subprocess.run(command, check=True, capture_output=True)
    place = Place(tmp_path, build / "bin" / "warden", "/usr/bin/python3")
    page, _, warnings = place.serve()
    assert "This build has no dashboard" in page
    assert [text for text in warnings if "no dashboard pages" in text]
    place.run(place.warden, "doctor")
