"""The table of names that modules only import, and the modules written from it."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "python"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_names", PYTHON / "generate_names.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # For its dataclass.
    spec.loader.exec_module(module)
    return module


generate_names = load()
MODULES = generate_names.read_table((PYTHON / "names.txt").read_text())


def file_of(module: str, folder: Path = PYTHON) -> Path | None:
    path = folder / module.replace(".", "/")
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in files if file.exists()), None)


def names_in(file: Path) -> set[str]:
    """The names that a module defines or imports at its top."""
    found: set[str] = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {name.asname or name.name for name in node.names}
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            found |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_the_names_exist_where_they_come_from(module) -> None:
    for source, names in module.sources.items():
        file = file_of(source)
        assert file is not None, f"{source} does not exist"
        missing = {name.split(" as ")[0] for name in names} - names_in(file)
        assert not missing, f"{source} does not have {', '.join(sorted(missing))}"


def test_no_module_is_written_twice() -> None:
    names = [module.name for module in MODULES]
    assert sorted(names) == sorted(set(names))
    assert [name for name in names if file_of(name) is not None] == []


def test_the_table_is_sorted() -> None:
    names = [module.name for module in MODULES]
    assert names == sorted(names)


def test_the_modules_are_written(tmp_path: Path) -> None:
    command = [sys.executable, PYTHON / "generate_names.py", tmp_path]
    subprocess.run(command, check=True)
    assert (tmp_path / "smdebug/core/__init__.py").exists()  # Its modules are in the table.
    assert (tmp_path / "smdebug/analysis/__init__.py").exists()  # Its module is in git.
    for module in MODULES:
        file = file_of(module.name, tmp_path)
        assert file is not None
        expected = {name.split(" as ")[-1] for names in module.sources.values() for name in names}
        assert expected <= names_in(file)
        compile(file.read_text(), file, "exec")


def test_what_is_written() -> None:
    table = "# A comment\n\na.b: Text.\n  c.e: Two, One as two,\n    three\n  c.d: Four\n"
    (module,) = generate_names.read_table(table)
    assert generate_names.source_of(module) == (
        f'"""Text."""\n\n{generate_names.HEADER}\n\n'
        "from c.d import Four\nfrom c.e import One as two, Two, three\n\n"
        '__all__ = ["Four", "Two", "three", "two"]\n'
    )


def test_long_lines_are_split() -> None:
    names = [f"name_{number}" for number in range(20)]
    module = generate_names.Module("a", "Text.", {"b": names})
    text = generate_names.source_of(module)
    assert "from b import (\n    name_0,\n" in text
    assert '__all__ = [\n    "name_0",\n' in text
    assert max(len(line) for line in text.splitlines()) <= generate_names.WIDTH


@pytest.mark.parametrize("line", ["  c.d: Four", "a.b", "a.b: Text.\n    names", "a.b: T.\n c: D"])
def test_a_wrong_line_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=r"names.txt:\d: expected a module, a source or names"):
        generate_names.read_table(line)
