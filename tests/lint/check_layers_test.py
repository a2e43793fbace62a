"""The check of who includes whom."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def tree(root: Path, files: dict[str, str]) -> None:
    (root / "tools").mkdir()
    (root / "tools/check_layers.py").write_bytes((ROOT / "tools/check_layers.py").read_bytes())
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".h"):
            guard = name.upper().replace("/", "_").replace(".", "_") + "_"
            text = f"#ifndef {guard}\n#define {guard}\n{text}\n#endif\n"
        path.write_text(text)


def check(root: Path, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, root / "tools/check_layers.py", *options], capture_output=True, text=True
    )
    return done.returncode, done.stderr


SOUND = {
    "warden/base/status.h": "",
    "warden/base/README.md": "# base\n\nUses: nothing\n",
    "warden/jobs/db/store.h": '#include "warden/base/status.h"',
    "warden/jobs/db/README.md": "# jobs/db\n\nUses: base\n",
}


def test_a_sound_tree_passes(tmp_path):
    tree(tmp_path, SOUND)
    assert check(tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"warden/base/late.cc": '#include "warden/jobs/db/store.h"'},
            "warden/base/README.md: jobs/db is used but not declared: "
            "warden/base/late.cc includes warden/jobs/db/store.h",
        ),
        (
            {"warden/base/late.cc": '#include "warden/jobs/db/store.h"'},
            "folders include each other in a circle: base -> jobs/db -> base",
        ),
        (
            {"warden/jobs/db/README.md": "# jobs/db\n\nUses: base, os\n"},
            "warden/jobs/db/README.md: os is declared but not used",
        ),
        ({"warden/jobs/db/README.md": "# jobs/db\n"}, "the line 'Uses: ...' is missing"),
        ({"warden/base/a.cc": '#include "warden/base/b.h"'}, "warden/base/b.h does not exist"),
        ({"warden/base/a.cc": '#include "status.h"'}, "include status.h from the root"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, files, message):
    tree(tmp_path, SOUND | files)
    code, text = check(tmp_path)
    assert code == 1
    assert message in text


def test_parts_may_not_form_a_circle_though_their_folders_do_not(tmp_path):
    tree(
        tmp_path,
        {
            "warden/one/low/a.h": "",
            "warden/two/b.h": '#include "warden/one/low/a.h"',
            "warden/one/high/c.h": '#include "warden/two/b.h"',
        },
    )
    code, text = check(tmp_path, "--write")
    assert code == 1
    assert "parts include each other in a circle: one -> two -> one" in text
    assert "folders include" not in text


def test_tests_may_use_anything(tmp_path):
    tree(tmp_path, SOUND | {"warden/base/a_test.cc": '#include "warden/jobs/db/store.h"'})
    assert check(tmp_path) == (0, "")


def test_write_declares_what_is_used(tmp_path):
    tree(tmp_path, SOUND | {"warden/jobs/db/README.md": "# jobs/db\n\nText.\n\nUses: os\n"})
    assert check(tmp_path, "--write") == (0, "")
    assert (tmp_path / "warden/jobs/db/README.md").read_text() == (
        "# jobs/db\n\nText.\n\nUses: base\n"
    )


def test_an_unknown_option_is_refused(tmp_path):
    tree(tmp_path, SOUND)
    code, text = check(tmp_path, "--fix")
    assert code == 2
    assert "--write" in text
