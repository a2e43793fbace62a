"""Paths in the documentation lead to files that exist, and the table of parts to every folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/design/*.md"))),
    *(
        path.relative_to(ROOT).as_posix()
        for top in ("warden", "python", "web/src", "tests", "tools", "cmake", "fuzz", "bench", "r")
        for path in sorted((ROOT / top).rglob("README.md"))
    ),
]
LIVES = [name for name in DOCUMENTS if "/life-of-" in name]
ARCHITECTURE = "docs/design/architecture.md"

SUFFIXES = (".h", ".cc", ".py", ".ts", ".cmake", ".sh")
# Folders of sources; build outputs and packages of others are elsewhere.
SOURCES = ("warden", "include", "python", "web/src", "tests", "tools", "cmake", "fuzz", "bench")
# Documents may leave these away.
PREFIXES = ("", "warden", "include", "python", "python/tensorwarden", "web/src")
# In names of files that a guide tells its reader to write.
EXAMPLES = ("train.py", "large_values", "jax")

FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"[\w.*-]+(?:/[\w.*-]+)*/?")
INCLUDE = re.compile(r'#include "(warden/[^"]+)"')


def without_fences(text: str) -> str:
    """The same lines, those of code blocks empty."""
    return FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)


def looks_like_path(name: str, root: Path) -> bool:
    """Whether it can only be meant as a source file, or as a folder below warden/."""
    if not NAME.fullmatch(name) or any(example in name for example in EXAMPLES):
        return False
    first, slash, _ = name.partition("/")
    is_part = slash != "" and (first == "warden" or (root / "warden" / first).is_dir())
    # "*.cc" is a kind of file, and ".py" an ending.
    is_file = name.endswith(SUFFIXES) and Path(name).stem.strip("*.") != ""
    return is_part or is_file


def paths_in(text: str, root: Path) -> Iterator[tuple[int, str]]:
    """Backticked paths and includes of examples, each with its line."""
    prose = without_fences(text)
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1]
    for match in CODE.finditer(prose):
        if looks_like_path(match[1], root):
            yield prose.count("\n", 0, match.start()) + 1, match[1]


def exists(name: str, folder: Path, root: Path) -> bool:
    """Whether a path exists from the root, one of PREFIXES, or the document's folder.

    A README below warden/ may also name a file of its sub-folders without the way to it, and other
    documents any source file.
    """
    name = name.rstrip("/")
    if any(next((root / prefix).glob(name), None) for prefix in PREFIXES):
        return True
    if next(folder.glob(name), None):
        return True
    if "/" in name:
        return False
    tops = [folder] if root / "warden" in folder.parents else [root / top for top in SOURCES]
    return any(next(top.rglob(name), None) for top in tops)


def missing(document: str, root: Path) -> list[str]:
    path = root / document
    return [
        f"{document}:{line}: {name} does not exist"
        for line, name in paths_in(path.read_text(), root)
        if not exists(name, path.parent, root)
    ]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_paths_exist(document: str) -> None:
    wrong = missing(document, ROOT)
    assert not wrong, "\n" + "\n".join(wrong)


def write(root: Path, name: str, text: str = "") -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def small_root(tmp_path: Path) -> Path:
    for name in ("warden/rules/engine/engine.cc", "warden/os/posix.h", "include/warden/hook.h"):
        write(tmp_path, name)
    write(tmp_path, "warden/rules/README.md")
    return tmp_path


@pytest.mark.parametrize(
    "text",
    [
        "`warden/rules/engine.cc`",
        "`rules/engine.cc`",
        "`engines.cc`",
        "`rules/watch/`",
        "`warden/service`",
        "`rules/debug/*.cc`",
        "`python/tensorwarden/hook.py`",
        '```cpp\n#include "warden/rules/testing.h"\n```',
    ],
)
def test_a_wrong_name_is_found(small_root: Path, text: str) -> None:
    write(small_root, "docs/design/a.md", f"# A\n\n{text}\n")
    name = re.search(r'[`"]([^`"]+)[`"]\n', text + "\n")
    assert name is not None
    line = 3 + text.count("\n", 0, name.start())
    assert missing("docs/design/a.md", small_root) == [
        f"docs/design/a.md:{line}: {name[1]} does not exist"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "`warden/rules/engine/engine.cc`, `rules/engine/engine.cc`, `engine.cc`",
        "`warden/rules`, `rules/engine/`, `rules/engine/*.cc`, `*_test.cc`",
        "`warden/hook.h`",
        "`rules.json`, `Engine`, `rules`, `s3/<bucket>`, `/proc`, `python3 train.py`",
        "```sh\nmake `rules/engine.cc`\n```",
    ],
)
def test_right_names_and_other_code_pass(small_root: Path, text: str) -> None:
    write(small_root, "warden/rules/engine/engine_test.cc")
    write(small_root, "docs/design/a.md", text)
    assert missing("docs/design/a.md", small_root) == []


def test_a_readme_names_its_own_files(small_root: Path) -> None:
    write(small_root, "warden/rules/README.md", "`engine/engine.cc`, `engine.cc`\n`posix.h`\n")
    assert missing("warden/rules/README.md", small_root) == [
        "warden/rules/README.md:2: posix.h does not exist"
    ]


# ---- A life: "| 3 | `file.cc` `Function` | what happens |".

ROW = re.compile(r"^\|(?: \d+ \|)? (`[^|]+) \|", re.MULTILINE)


def names_not_in_files(text: str, root: Path) -> list[str]:
    """Names that stand behind a file in a row, and do not occur in it."""
    wrong = []
    for row in ROW.finditer(text):
        file, *names = CODE.findall(row[1])
        bases = [base / file for base in (root / "warden", root) if (base / file).is_file()]
        source = bases[0].read_text() if bases else ""
        wrong += [f"{file}: {name}" for name in names if not re.search(rf"\b{name}\b", source)]
    return wrong


@pytest.mark.parametrize("document", LIVES)
def test_the_functions_of_a_life_exist(document: str) -> None:
    assert names_not_in_files((ROOT / document).read_text(), ROOT) == []


def test_a_wrong_function_is_found(small_root: Path) -> None:
    write(small_root, "warden/os/posix.h", "int Open();\n")
    text = "| | where | what |\n| 1 | `os/posix.h` `Open`, `Close`, writer thread | Opens. |\n"
    assert names_not_in_files(text, small_root) == ["os/posix.h: Close"]


def test_the_steps_of_a_life_are_numbered() -> None:
    assert LIVES
    for document in LIVES:
        numbers = re.findall(r"^\| (\d+) \|", (ROOT / document).read_text(), re.MULTILINE)
        assert [int(number) for number in numbers] == list(range(1, len(numbers) + 1)), document


# ---- The table of parts: "| 1 | [`warden/os`](...) | ... |", no level for folders of a part.

FOLDER_ROW = re.compile(r"^\| (\d*) ?\| \[`warden/([^`]+)`\]", re.MULTILINE)


def part_of(folder: str) -> str:
    return folder.split("/")[0]


def used_parts() -> dict[str, set[str]]:
    """The other parts that each part includes, tests aside."""
    used: dict[str, set[str]] = {}
    for path in sorted((ROOT / "warden").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        part = part_of(path.relative_to(ROOT / "warden").as_posix())
        others = used.setdefault(part, set())
        if not path.stem.endswith(("_test", "_for_test")):
            includes = INCLUDE.findall(path.read_text())
            others |= {part_of(name.removeprefix("warden/")) for name in includes} - {part}
    return used


def test_the_table_has_every_folder() -> None:
    listed = [name for _, name in FOLDER_ROW.findall((ROOT / ARCHITECTURE).read_text())]
    sources = [p for p in (ROOT / "warden").rglob("*") if p.suffix in (".h", ".cc")]
    folders = {p.parent.relative_to(ROOT / "warden").as_posix() for p in sources}
    assert sorted(listed) == sorted(folders | {part_of(folder) for folder in folders})


def test_levels_follow_from_what_parts_use() -> None:
    rows = FOLDER_ROW.findall((ROOT / ARCHITECTURE).read_text())
    levels = {name: int(level) for level, name in rows if level}
    expected = {
        part: 1 + max((levels[other] for other in others), default=-1)
        for part, others in used_parts().items()
    }
    assert levels == expected
    assert list(levels.values()) == sorted(levels.values())
