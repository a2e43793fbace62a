"""Which files decide whether clang-tidy looks at a source again: tools/tidy.py."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tidy(tmp_path):
    """The tool in a small tree of its own."""
    files = {
        "include/warden.h": "#include <warden/hook.h>\n",
        "include/warden/hook.h": "#pragma once\n",
        "warden/base/text.h": '#include "warden/base/bytes.h"\n',
        "warden/base/bytes.h": '#include <string>\n#include "warden/base/text.h"  // A circle.\n',
        "warden/base/other.h": "",
        "warden/cli/main.cc": '#  include "warden/base/text.h"\n#include <warden.h>\n',
        "examples/net.cc": '#include "net.h"\n// #include "warden/base/other.h"\n',
        "examples/net.h": "",
        "tools/tidy.py": (ROOT / "tools/tidy.py").read_text(),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    spec = importlib.util.spec_from_file_location("tidy", tmp_path / "tools/tidy.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_headers_are_followed_through_others(tidy):
    assert tidy.seen_by("warden/cli/main.cc") == [
        "include/warden.h",
        "include/warden/hook.h",
        "warden/base/bytes.h",
        "warden/base/text.h",
        "warden/cli/main.cc",
    ]


def test_a_header_beside_its_source_is_found_and_a_comment_is_not(tidy):
    assert tidy.seen_by("examples/net.cc") == ["examples/net.cc", "examples/net.h"]
