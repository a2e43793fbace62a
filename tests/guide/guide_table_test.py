"""The list of examples is whole, and docs/compatibility.md has it."""

import ast
import re

import pytest
from manifest import EXAMPLES, FOLDER, ROOT, code
from table import PAGE, page


def test_the_table_is_up_to_date():
    assert PAGE.read_text() == page(), "Run tests/guide/table.py --write"


def test_each_file_is_an_example():
    files = {str(path.relative_to(FOLDER / "examples")) for path in FOLDER.glob("examples/*/*")}
    assert files == {entry["file"] for entry in EXAMPLES.values()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_run_or_replaced(name):
    entry = EXAMPLES[name]
    if entry["result"] != "runs":
        assert entry["note"]
    if entry["result"] == "replaced":
        assert "test" not in entry
        return
    assert re.search(rf'"{name}\b', (ROOT / entry["test"]).read_text()), entry["test"]
    text = code(name)
    if entry["file"].endswith(".py") and entry["test"].endswith("notebooks.py"):
        ast.parse(text)
