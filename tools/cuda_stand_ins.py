#!/usr/bin/env python3
"""Lets PyTorch's package for CUDA run on the CPU without NVIDIA's libraries, which take 5 GB.

tools/cuda_stand_ins.py ENVIRONMENT

PyTorch is linked with them, and does not start without them. For each library that is missing, this
makes one with the same name and symbols. Its functions return an error, as they do without a GPU.
"""

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

# The versions that a library needs of others; a symbol; both as objdump prints them.
NEEDED = re.compile(r"^  NEEDED +(lib(?:cu(?!da\.)|nccl|nv)\S+)$", re.MULTILINE)
FROM = re.compile(r"^  required from (\S+):$")
VERSION = re.compile(r"^ +0x\S+ 0x\S+ \d+ (\S+)$")
SYMBOL = re.compile(r" \*UND\*\t\S+ +(?:\((\S+)\)|Base)? +((?:cu|nccl|nv)\w+)$", re.MULTILINE)


def needs(library: Path) -> tuple:
    """Returns the names of NVIDIA's libraries that it needs, (library, version) and (version,
    symbol)."""
    text = subprocess.run(
        ["objdump", "-p", "-T", library], capture_output=True, text=True, check=True
    ).stdout
    versions, current = set(), ""
    for line in text.splitlines():
        if found := FROM.match(line):
            current = found[1]
        elif found := VERSION.match(line):
            versions.add((current, found[1]))
    return set(NEEDED.findall(text)), versions, set(SYMBOL.findall(text))


def make(target: Path, versions: dict) -> None:
    """Makes a library with these symbols, by version."""
    with tempfile.TemporaryDirectory() as folder:
        source, script = Path(folder, "all.c"), Path(folder, "versions")
        symbols = sorted(set().union(*versions.values()))
        source.write_text("".join(f"int {name}(void) {{ return 1; }}\n" for name in symbols))
        blocks = [
            f"{version} {{ global: {''.join(f'{name}; ' for name in sorted(names))}}};\n"
            for version, names in versions.items()
            if version
        ]
        script.write_text("".join(blocks))
        command = ["cc", "-shared", "-fPIC", "-w", "-fno-builtin", f"-Wl,-soname,{target.name}"]
        if blocks:
            command.append(f"-Wl,--version-script={script}")
        subprocess.run([*command, "-o", target, source], check=True)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    (packages,) = Path(sys.argv[1]).glob("lib/python3*/site-packages")
    folder = packages / "torch/lib"
    present = {path.name for path in [*packages.glob("nvidia/*/lib/*.so*"), *folder.iterdir()]}
    needed, versions, symbols = set(), set(), set()
    for library in folder.glob("lib*.so"):
        for known, new in zip((needed, versions, symbols), needs(library)):
            known |= new
    owners = {version: library for library, version in versions}
    wanted = defaultdict(lambda: defaultdict(set))
    for version, symbol in symbols:
        if not version or version in owners:
            wanted[owners.get(version, "")][version].add(symbol)
    unversioned = wanted.pop("", {})
    for name in sorted(needed - present):
        make(folder / name, {**unversioned, **wanted[name]} if unversioned else wanted[name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
