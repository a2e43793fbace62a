"""A README.md in every folder that needs one, and a different name for each header."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TOPS = (
    *("bench", "cmake", "examples", "fuzz", "include", "python", "r", "tests", "tools"),
    *("warden", "web/src"),
)
SOURCES = frozenset((".R", ".c", ".cc", ".cmake", ".cu", ".h", ".py", ".sh", ".ts"))
# Inputs of tests: what is in them is what their tests say of them.
DATA = ("fuzz/regressions", "fuzz/seeds", "tests/golden", "tests/guide/examples")
MOST_FILES = 3  # That a folder may have without an introduction.
LEAST_LINES = 5  # Of an introduction, title and `Uses:` included, blank lines not.

CONTENT = (
    "Say in about five lines what it is for, what goes in and out, which file to read first, "
    "and what it may depend on"
)


def folders(root: Path) -> Iterator[tuple[str, list[Path]]]:
    """Every folder of ours with the files in it, by its path from the root."""
    for top in TOPS:
        inside = sorted(path for path in (root / top).rglob("*") if path.is_dir())
        for folder in [root / top, *inside]:
            name = folder.relative_to(root).as_posix()
            if "/." in name or name.endswith("__pycache__"):
                continue
            yield name, [path for path in sorted(folder.glob("[!.]*")) if path.is_file()]


def needs_readme(name: str, files: list[Path]) -> bool:
    """Whether more is in a folder than its name tells. Folders of data alone need no README."""
    if any(name == data or name.startswith(f"{data}/") for data in DATA):
        return False
    others = [path for path in files if path.name != "README.md"]
    return len(others) > MOST_FILES and any(path.suffix in SOURCES for path in others)


def missing_readmes(root: Path) -> Iterator[str]:
    for name, files in folders(root):
        if not needs_readme(name, files):
            continue
        readme = root / name / "README.md"
        count = sum(path != readme for path in files)
        if not readme.exists():
            yield f"{name}/README.md is missing: the folder has {count} files. {CONTENT}"
            continue
        lines = [line for line in readme.read_text().splitlines() if line.strip()]
        if not lines or not lines[0].startswith("# "):
            yield f"{name}/README.md: expected a title, '# ...', in the first line"
        elif len(lines) < LEAST_LINES:
            found = f"{name}/README.md has {len(lines)} lines with the title"
            yield f"{found}; expected at least {LEAST_LINES}. {CONTENT}"


def shared_names(root: Path) -> Iterator[str]:
    """Headers of one name: an editor, a search and a reader cannot tell them apart."""
    headers = defaultdict(list)
    for name, files in folders(root):
        for path in files:
            if path.suffix == ".h":
                headers[path.name].append(f"{name}/{path.name}")
    for paths in headers.values():
        if len(paths) > 1:
            yield f"{paths[0]}: {' and '.join(paths[1:])} has the same name; rename one of them"


def problems(root: Path) -> list[str]:
    return [*missing_readmes(root), *shared_names(root)]
