"""What is built for users is linked and compiled so that a fault in memory is hard to exploit."""

import os
import platform
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("WARDEN_BUILD", ROOT / "build" / "release"))


def binaries() -> list:
    return [
        ROOT / "build" / "bin" / "warden",
        BUILD / "libtensorwarden.so",
        *(BUILD / "python").glob("_core.*.so"),
    ]


def readelf(option: str, path: Path) -> str:
    command = ["readelf", "--wide", option, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_there_is_something_to_look_at():
    assert len(binaries()) == 3
    assert all(path.exists() for path in binaries())


@pytest.mark.parametrize("path", binaries(), ids=lambda path: path.name)
class TestHardening:
    def test_addresses_are_random(self, path):
        assert "Type:                              DYN" in readelf("--file-header", path)

    def test_function_addresses_are_read_only(self, path):
        assert "GNU_RELRO" in readelf("--program-headers", path)
        dynamic = readelf("--dynamic", path)
        assert "BIND_NOW" in dynamic or re.search(r"FLAGS_1.*\bNOW\b", dynamic)

    def test_the_stack_is_not_executable(self, path):
        headers = readelf("--program-headers", path)
        (flags,) = re.findall(r"GNU_STACK +(?:0x[0-9a-f]+ +){5}(.{3})", headers)
        assert flags == "RW "

    def test_buffers_are_checked(self, path):
        symbols = readelf("--dyn-syms", path)
        assert "__stack_chk_fail" in symbols
        assert re.search(r"__\w+_chk@", symbols.replace("__stack_chk_fail", ""))

    @pytest.mark.skipif(platform.machine() != "x86_64", reason="a feature of x86 processors")
    def test_places_to_jump_to_are_marked(self, path):
        # The note in the file is missing where the C library's own objects have no marks.
        endbr64 = b"\xf3\x0f\x1e\xfa"
        assert path.read_bytes().count(endbr64) > 100

    def test_no_library_is_loaded_from_the_current_directory(self, path):
        for entries in re.findall(r"R(?:UN)?PATH.*\[(.*)\]", readelf("--dynamic", path)):
            assert all(entry.startswith(("$ORIGIN", "/")) for entry in entries.split(":")), entries
