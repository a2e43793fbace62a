"""The lists of Python packages that are installed: complete, pinned, with hashes."""

import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import tomllib

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import lock_requirements  # noqa: E402

SOURCES = lock_requirements.sources()


def entries(text):
    """The requirements of a list, each with its hashes."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("source", SOURCES, ids=lock_requirements.name_of)
def test_every_package_is_pinned_with_its_hashes(source):
    for entry in entries(source.with_suffix(".txt").read_text()):
        assert re.match(r"[a-z0-9.-]+==[^ ]+( ; [^-]+)?( +--hash=sha256:[0-9a-f]{64})+$", entry)


@pytest.mark.parametrize("source", SOURCES, ids=lock_requirements.name_of)
def test_the_list_is_that_of_its_source(source):
    listed = {
        one.name: one for one in lock_requirements.requirements_in(source.with_suffix(".txt"))
    }
    for wanted in lock_requirements.requirements_in(source):
        one = listed[lock_requirements.canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(lock_requirements.pin(one)), wanted
        assert str(one.marker) == str(wanted.marker)


def test_every_list_has_a_source():
    lists = {*ROOT.glob("tools/requirements-*.txt"), ROOT / "tests/corpus/requirements.txt"}
    assert lists == {source.with_suffix(".txt") for source in SOURCES}


def test_a_list_is_written(tmp_path, monkeypatch):
    """From what the index says; all files of the version, of every platform."""
    page = "".join(
        f'<a href="../f/{file}#sha256={digit * 64}">{file}</a>'
        for file, digit in (
            ("some_thing-1.0.tar.gz", "a"),
            ("some_thing-1.0-cp311-cp311-win_amd64.whl", "b"),
            ("some_thing-1.0.1-py3-none-any.whl", "c"),
            ("some_thing-old.exe", "d"),
        )
    )

    class Index(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/simple/some-thing/" else 404)
            self.end_headers()
            self.wfile.write(page.encode())

    server = HTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple/")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(lock_requirements, "ROOT", tmp_path)
    source = tmp_path / "requirements-torch.in"
    source.write_text('# Why.\nSome_Thing==1.0 ; python_version < "3.11"  # More.\n')
    lock_requirements.lock(source, upgrade=False)
    server.shutdown()
    server.server_close()
    (entry,) = entries(source.with_suffix(".txt").read_text())
    assert entry.split() == [
        *("some-thing==1.0", ";", "python_version", "<", '"3.11"'),
        f"--hash=sha256:{'a' * 64}",
        f"--hash=sha256:{'b' * 64}",
    ]


def test_our_own_package_names_its_licenses():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    assert project["license-files"] == ["LICENSE", "NOTICE"]
    assert all((ROOT / name).is_file() for name in project["license-files"])
