"""Writes the lists of Python packages that tools/setup.sh installs, with all that they depend on
and the hashes of all files of each version:

    build/venv/bin/python tools/lock_requirements.py [--upgrade] [tools/requirements-NAME.in ...]

requirements-NAME.in has what we want, requirements-NAME.txt beside it what is installed. Versions
of the old list are kept as far as they fit; --upgrade forgets them. Without names all lists are
written. Needs Debian 12 with the packages of `make test`, since some environments use them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from pip._internal.models.index import PyPI
from pip._vendor import requests
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from pip._vendor.packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parent.parent
# Packages that these leave to the system's: what is missing beside them is listed.
BESIDE_THE_SYSTEM = {"test": ["build"]}
# Lists that name everything themselves, because the packages ask for too much.
COMPLETE = {"corpus", "sagemaker3", "torch", "wheel"}
LINK = re.compile(r'href="[^"]*/([^/"#]+)#sha256=([0-9a-f]{64})"')


def sources() -> list[Path]:
    return [
        *sorted((ROOT / "tools").glob("requirements-*.in")),
        ROOT / "tests/corpus/requirements.in",
    ]


def name_of(source: Path) -> str:
    """Returns "test" for tools/requirements-test.in, "corpus" for tests/corpus/requirements.in."""
    return source.stem.partition("-")[2] or source.parent.name


def requirements_in(path: Path) -> list[Requirement]:
    """Returns the requirements of a list of either kind."""
    if not path.exists():
        return []
    lines = path.read_text().replace("\\\n", " ").splitlines()
    texts = [re.sub(r"(^|\s)#.*|\s--hash=\S+", "", line).strip() for line in lines]
    return [Requirement(text) for text in texts if text]


def pin(requirement: Requirement) -> str | None:
    specifiers = list(requirement.specifier)
    exact = len(specifiers) == 1 and specifiers[0].operator == "=="
    return specifiers[0].version if exact else None


def resolve(source: Path, upgrade: bool) -> dict[str, tuple[str, str]]:
    """Returns version and marker of each package, by name."""
    wanted = requirements_in(source)
    markers = {
        canonicalize_name(one.name): f" ; {one.marker}" if one.marker else "" for one in wanted
    }
    pins = {canonicalize_name(one.name): pin(one) for one in wanted}
    name = name_of(source)
    if name not in COMPLETE:
        pins = {**pins, **ask_pip(source, BESIDE_THE_SYSTEM.get(name), upgrade)}
    loose = [one for one, version in pins.items() if version is None]
    if loose:
        raise SystemExit(f"{source}: expected NAME==VERSION for {', '.join(loose)}")
    return {one: (version, markers.get(one, "")) for one, version in pins.items()}


def ask_pip(source: Path, beside: list[str] | None, upgrade: bool) -> dict[str, str]:
    """Returns what pip would install into a new environment."""
    with tempfile.TemporaryDirectory() as folder:
        options = [] if beside is None else ["--system-site-packages"]
        subprocess.run(["/usr/bin/python3", "-m", "venv", *options, folder], check=True)
        python = f"{folder}/bin/python"
        old = [] if upgrade else requirements_in(source.with_suffix(".txt"))
        constraints = Path(folder, "constraints.txt")
        constraints.write_text("".join(f"{one.name}{one.specifier}\n" for one in old))
        report = Path(folder, "report.json")
        others = ["wheel", *(beside or [])]
        lists = [source, *(source.with_name(f"requirements-{one}.in") for one in others)]
        command = [python, "-m", "pip", "install", "--quiet", "--dry-run", "--report", report]
        command += [f"--constraint={constraints}", *(f"--requirement={one}" for one in lists)]
        subprocess.run(command, check=True)
        found = [one["metadata"] for one in json.loads(report.read_text())["install"]]
        versions = {canonicalize_name(one["name"]): one["version"] for one in found}
        versions.pop("wheel", None)  # Installed by itself where the system has none.
        # What a new environment has anyway.
        look = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
        for one in requirements_in(source):
            if not one.marker and canonicalize_name(one.name) not in versions:
                there = subprocess.run(
                    [python, "-c", look, one.name], check=True, capture_output=True, text=True
                )
                versions[canonicalize_name(one.name)] = there.stdout.strip()
        return versions


@lru_cache(maxsize=None)
def hashes_by_version(name: str) -> dict[Version, set[str]]:
    """Returns the hashes of all files that the index has of a package."""
    index = os.environ.get("PIP_INDEX_URL", PyPI.simple_url).rstrip("/")
    page = requests.get(f"{index}/{name}/", headers={"Accept": "text/html"}, timeout=60)
    page.raise_for_status()
    found: dict[Version, set[str]] = {}
    for file, digest in LINK.findall(page.text):
        parse = parse_wheel_filename if file.endswith(".whl") else parse_sdist_filename
        try:
            version = parse(unquote(file))[1]
        except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
            continue  # Of times before wheels.
        found.setdefault(version, set()).add(digest)
    return found


def hashes_of(name: str, version: str) -> list[str]:
    hashes = hashes_by_version(name).get(Version(version))
    if not hashes:
        raise SystemExit(f"{name} {version}: the index has no file with a hash")
    return sorted(hashes)


def lock(source: Path, upgrade: bool) -> None:
    versions = resolve(source, upgrade)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hashes_by_version, versions))
    lines = [
        f"# Written by tools/lock_requirements.py from {source.name}.",
        "# All that is installed, with the hashes of all files of each version.",
    ]
    for name, (version, marker) in sorted(versions.items()):
        hashes = "".join(f" \\\n    --hash=sha256:{one}" for one in hashes_of(name, version))
        lines.append(f"{name}=={version}{marker}{hashes}")
    source.with_suffix(".txt").write_text("\n".join(lines) + "\n")
    print(f"{source.with_suffix('.txt').relative_to(ROOT)}: {len(versions)} packages", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    parser.add_argument("sources", nargs="*", type=Path, metavar="FILE.in")
    options = parser.parse_args()
    for source in options.sources or sources():
        lock(source.resolve(), options.upgrade)


if __name__ == "__main__":
    sys.exit(main())
