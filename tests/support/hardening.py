"""What makes a fault in memory hard to exploit, in the programs and libraries that users get."""

import platform
import re
import subprocess
from pathlib import Path

ENDBR64 = b"\xf3\x0f\x1e\xfa"


def readelf(option: str, path: Path) -> str:
    command = ["readelf", "--wide", option, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_program(path: Path) -> bool:
    """Whether it is an ELF file: a program or a shared library."""
    if not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def has_executable_stack(path: Path) -> bool:
    """Whether the stack of a process that loads it can be run; also if the file does not say."""
    headers = readelf("--program-headers", path)
    return re.findall(r"GNU_STACK +(?:0x[0-9a-f]+ +){5}(.{3})", headers) != ["RW "]


def lacks(path: Path) -> list:
    """What a program or library of ours is compiled or linked without."""
    dynamic = readelf("--dynamic", path)
    symbols = readelf("--dyn-syms", path)
    run_paths = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", dynamic)
    entries = [entry for run_path in run_paths for entry in run_path.split(":")]
    there = {
        "random addresses": bool(re.search(r"Type: +DYN", readelf("--file-header", path))),
        "read-only function addresses": "GNU_RELRO" in readelf("--program-headers", path)
        and ("BIND_NOW" in dynamic or bool(re.search(r"FLAGS_1.*\bNOW\b", dynamic))),
        "a stack that cannot be run": not has_executable_stack(path),
        "stack protector": "__stack_chk_fail" in symbols,
        "checked buffers": bool(re.search(r"__\w+_chk@", symbols.replace("__stack_chk_fail", ""))),
        # A feature of x86 processors. The note in the file that has it enforced is another matter:
        # the linker writes it only if the C library's own objects are marked, too.
        "marked places to jump to": platform.machine() != "x86_64"
        or path.read_bytes().count(ENDBR64) > 100,
        # An empty entry would be the current directory.
        "libraries from known places only": all(
            entry.startswith(("$ORIGIN", "/")) for entry in entries
        ),
    }
    return [name for name, is_there in there.items() if not is_there]
