"""The examples of SageMaker's documentation that tests run: one file each in examples/, listed in
examples.json by page.

A name is the page and the position on it: p682-1. An entry has

    lines           first and last line in the text of the documentation; see extract.py
    file            the code, without its comments
    result          runs, filled, corrected, differs or replaced; see table.py
    note            what was filled in or corrected, why it differs, or what replaces it
    fill            what is replaced before it runs: pairs of text, each once, in this order
    test            the file of the test that runs it
    comment_lines   lines of a comment that begins on the line before
"""

import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
EXAMPLES = {entry["name"]: entry for entry in json.loads((FOLDER / "examples.json").read_text())}


def printed(name: str) -> str:
    """The code as the page has it."""
    return (FOLDER / "examples" / EXAMPLES[name]["file"]).read_text()


def code(name: str, **values: str) -> str:
    """The code with everything filled in. `values` replace words that stand for a value of the
    test, such as @BUCKET@."""
    text = printed(name)
    for old, new in EXAMPLES[name].get("fill", []):
        assert old in text, f"{name} has no {old!r}"
        text = text.replace(old, new, 1)
    for word, value in values.items():
        text = text.replace(word, value)
    return text


def fragment(name: str, **values: str) -> dict:
    """Members of a request: JSON without its braces, or keyword arguments in Python."""
    text = code(name, **values)
    if EXAMPLES[name]["file"].endswith(".json"):
        return json.loads(text if text.startswith("{") else "{" + text + "}")
    return eval(f"dict({text})")
