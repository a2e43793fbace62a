"""The check of who uses whom, of READMEs and of the names of headers."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def tree(root: Path, files: dict[str, str]) -> None:
    (root / "tools").mkdir()
    shutil.copy(ROOT / "tools/check_layers.py", root / "tools")
    shutil.copytree(ROOT / "tools/layers", root / "tools/layers")
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


def test_this_tree_is_sound():
    assert check(ROOT) == (0, "")


PYTHON = {
    "python/tensorwarden/__init__.py": "",
    "python/tensorwarden/README.md": "Uses: nothing\n",
    "python/tensorwarden/base/log.py": "import os\nfrom tensorwarden._core import StatusError\n",
    "python/tensorwarden/base/README.md": "Uses: nothing\n",
    "python/tensorwarden/hook/base.py": "from tensorwarden.base.log import warn\n",
    "python/tensorwarden/hook/README.md": "Uses: tensorwarden/base\n",
    "python/smdebug/core/hook.py": "from tensorwarden.hook.base import BaseHook\n",
    "python/smdebug/README.md": "Uses: tensorwarden/hook\n",
}
LATE = "python/tensorwarden/base/README.md: tensorwarden/hook is used but not declared: "


def test_sound_packages_pass(tmp_path):
    tree(tmp_path, PYTHON)
    assert check(tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import tensorwarden.hook.base", LATE),
        ("from tensorwarden.hook import base", LATE),
        ("def f():\n    from tensorwarden.hook.base import BaseHook", LATE),
        ("if TYPE_CHECKING:\n    from tensorwarden.hook.base import BaseHook", LATE),
        ('NAME = "tensorwarden.hook.base"', LATE),
        (
            "def f():\n    import tensorwarden.hook.base",
            "files import each other in a circle: tensorwarden.hook.base -> tensorwarden.base.log",
        ),
        (
            "import tensorwarden.hook.base",
            "folders import each other in a circle: tensorwarden/hook -> tensorwarden/base",
        ),
        ("from .log import warn", "python/tensorwarden/base/log.py:1: import by the full name"),
    ],
)
def test_wrong_imports_are_named(tmp_path, text, message):
    tree(tmp_path, PYTHON | {"python/tensorwarden/base/log.py": text})
    code, told = check(tmp_path)
    assert code == 1
    assert message in told


def test_modules_of_one_folder_may_not_form_a_circle(tmp_path):
    circle = {
        "python/tensorwarden/base/a.py": "from tensorwarden.base.b import one",
        "python/tensorwarden/base/b.py": "def f():\n    from tensorwarden.base.a import two",
    }
    tree(tmp_path, PYTHON | circle)
    code, told = check(tmp_path)
    assert code == 1
    assert "files import each other in a circle: tensorwarden.base.a -> tensorwarden.base.b" in told
    assert "folders" not in told


WEB = {
    "web/src/base/dom.ts": "",
    "web/src/base/README.md": "Uses: nothing\n",
    "web/src/panels/one/index.ts": "import type { A } from '../../base/dom';\n",
    "web/src/panels/one/README.md": "Uses: base\n",
    "web/src/panels/two/index.ts": "",
    "web/src/panels/two/README.md": "Uses: nothing\n",
}


def test_sound_pages_pass(tmp_path):
    late = {"web/src/base/dom.test.ts": "import { a } from '../panels/one';"}
    tree(tmp_path, WEB | late)
    assert check(tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "base/dom.ts",
            "export { a } from '../panels/one';",
            "panels/one is used but not",
        ),
        ("base/dom.ts", "import '../panels/one';", "parts import each other in a circle: base ->"),
        ("base/dom.ts", "await import('../panels/one');", "files import each other in a circle"),
        ("base/dom.ts", "import { a } from './b';", "web/src/base/dom.ts: ./b does not exist"),
        ("panels/two/index.ts", "import '../one';", "panel two may not import ../one"),
    ],
)
def test_wrong_imports_of_pages_are_named(tmp_path, file, text, message):
    tree(tmp_path, WEB | {f"web/src/{file}": text})
    code, told = check(tmp_path)
    assert code == 1
    assert message in told


def many(folder: str, count: int, suffix: str = ".py") -> dict[str, str]:
    return {f"{folder}/{number}{suffix}": "" for number in range(count)}


README = "# tests/e2e: the program\n\nOne.\nTwo.\nThree.\nFour.\n"


@pytest.mark.parametrize(
    "files",
    [
        many("tests/e2e", 3),
        many("tests/e2e", 4) | {"tests/e2e/README.md": README},
        many("tests/corpus/faults", 9, ".toml"),
        many("tests/guide/examples/p7", 9),
        many("tests/e2e", 3) | many("tests/e2e/__pycache__", 9) | many("tests/.cache", 9),
        many("build/venv", 9),
    ],
    ids=["few", "introduced", "data", "quoted", "caches", "elsewhere"],
)
def test_folders_that_need_no_further_readme_pass(tmp_path, files):
    tree(tmp_path, SOUND | files)
    assert check(tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("readme", "message"),
    [
        (None, "tests/e2e/README.md is missing: the folder has 4 files. Say in about five lines"),
        (
            "# tests/e2e\n\nTests.\n",
            "README.md has 2 lines with the title; expected at least 5",
        ),
        (README.removeprefix("# "), "tests/e2e/README.md: expected a title, '# ...', in the first"),
        ("", "tests/e2e/README.md: expected a title"),
    ],
)
def test_a_folder_of_many_files_needs_an_introduction(tmp_path, readme, message):
    written = {} if readme is None else {"tests/e2e/README.md": readme}
    tree(tmp_path, SOUND | many("tests/e2e", 4) | written)
    code, text = check(tmp_path)
    assert code == 1
    assert message in text


def test_two_headers_may_not_have_one_name(tmp_path):
    tree(tmp_path, SOUND | {"fuzz/store.h": "", "bench/status.h": ""})
    code, text = check(tmp_path)
    assert code == 1
    assert text.splitlines() == [
        "bench/status.h: warden/base/status.h has the same name; rename one of them",
        "fuzz/store.h: warden/jobs/db/store.h has the same name; rename one of them",
    ]
