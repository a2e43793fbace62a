"""What is built for users is linked and compiled so that a fault in memory is hard to exploit."""

import os
import subprocess
from pathlib import Path

import pytest

from support.hardening import has_executable_stack, lacks

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("WARDEN_BUILD", ROOT / "build" / "release"))


def binaries() -> list:
    return [
        ROOT / "build" / "bin" / "warden",
        BUILD / "libtensorwarden.so",
        *(BUILD / "python").glob("_core.*.so"),
        *(BUILD / "python").glob("_s3.*.so"),
    ]


def test_there_is_something_to_look_at():
    assert len(binaries()) == 4
    assert all(path.exists() for path in binaries())


@pytest.mark.parametrize("path", binaries(), ids=lambda path: path.name)
def test_protections_are_there(path):
    assert lacks(path) == []


def test_what_lacks_them_is_found(tmp_path):
    source, program = tmp_path / "bare.c", tmp_path / "bare"
    source.write_text("int main(void) { return 0; }\n")
    options = ["-no-pie", "-fno-stack-protector", "-Wl,-z,norelro,-z,lazy,-z,execstack"]
    options.append("-Wl,-rpath,relative")
    subprocess.run(["cc", *options, "-o", program, source], check=True)
    assert has_executable_stack(program)
    assert len(lacks(program)) >= 6  # Of seven, one of which is for x86 only.
