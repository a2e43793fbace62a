"""What `warden run` records of where a run comes from, and `warden runs` over it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from launched import WARDEN


def git(folder: Path, *words: str) -> None:
    environment = {**os.environ, "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    who = ["-c", "user.name=n", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, *words], cwd=folder, env=environment, check=True)


def warden(folder: Path, *words: str, code: int = 0, **variables: str) -> str:
    done = subprocess.run(
        [WARDEN, *words],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == code, done
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A run of a script in a repository with changes."""
    folder = tmp_path_factory.mktemp("origin")
    (folder / "json.py").write_text("raise SystemExit('imported by mistake')\n")
    (folder / "train.py").write_text("print('first')\n")
    git(folder, "init", "-q", "-b", "topic", ".")
    git(folder, "add", "train.py")
    git(folder, "commit", "-qm", "first")
    (folder / "train.py").write_text("print('second')\n")
    command = [sys.executable, "train.py", "--lr", "0.1", "--api-key", "s3cr3t", "--db=x"]
    variables = {"OMP_NUM_THREADS": "1", "HF_TOKEN": "s3cr3t", "MY_OWN": "s3cr3t"}
    out = warden(folder, "run", "--out", "run", "--", *command, **variables)
    assert out == "second\n"
    return folder


def shown(folder: Path) -> dict:
    return json.loads(warden(folder, "runs", "show", "run", "--json"))


def test_a_run_knows_where_it_comes_from(folder):
    origin = shown(folder)
    assert origin["command"][1:] == ["train.py", "--lr", "0.1", "--api-key", "***", "--db=x"]
    assert origin["directory"] == str(folder)
    assert origin["environment"]["values"]["OMP_NUM_THREADS"] == "1"
    assert origin["environment"]["values"]["HF_TOKEN"] == "***"
    assert "MY_OWN" in origin["environment"]["names"]
    assert origin["git"]["branch"] == "topic" and len(origin["git"]["commit"]) == 40
    assert origin["git"]["dirty"] and "+print('second')" in origin["git"]["diff"]
    assert origin["python"]["version"] == ".".join(map(str, sys.version_info[:3]))
    assert "pytest" in origin["python"]["packages"]
    assert origin["machine"]["cores"] == os.cpu_count()
    assert origin["hyper_parameters"] == {"lr": "0.1", "api-key": "***", "db": "x"}
    assert warden(folder, "runs", "show", "run", "--diff") == origin["git"]["diff"]
    text = warden(folder, "runs", "show", "run")
    assert " on topic, with changes (--diff)" in text and "0.1" in text


def test_no_secret_is_in_any_file_of_the_run(folder):
    for path in (folder / "run").rglob("*"):
        assert path.is_dir() or b"s3cr3t" not in path.read_bytes(), path


def test_nothing_is_recorded_if_nobody_wants_it_and_nothing_is_needed(tmp_path):
    script = [sys.executable, "-c", "print(1)"]
    warden(tmp_path, "run", "--out", "a", "--no-origin", "--", *script)
    assert not (tmp_path / "a/warden/origin.json").exists()
    # Neither git nor a repository, and a command that is not Python.
    empty = tmp_path / "empty"
    empty.mkdir()
    assert warden(tmp_path, "run", "--out", "b", "--", "/bin/echo", "x", PATH=str(empty)) == "x\n"
    origin = json.loads((tmp_path / "b/warden/origin.json").read_text())
    assert "git" not in origin and "python" not in origin
    assert origin["command"] == ["/bin/echo", "x"] and origin["machine"]["gpus"] == []


def test_marks_and_the_trash_on_the_command_line(folder):
    assert warden(folder, "runs", "tag", "run") == "run: no marks\n"
    assert warden(folder, "runs", "tag", "run", "b", "a") == "run: tags: a b\n"
    warden(folder, "runs", "tag", "run", "--remove", "b")
    warden(folder, "runs", "note", "run", "too", "slow")
    warden(folder, "runs", "rename", "run", "Best one")
    warden(folder, "runs", "star", "run")
    warden(folder, "runs", "archive", "run")
    marks = {
        "display_name": "Best one",
        "tags": ["a"],
        "note": "too slow",
        "archived": True,
        "baseline": True,
    }
    assert shown(folder)["marks"] == marks
    warden(folder, "runs", "archive", "run", "--undo")
    assert not shown(folder)["marks"]["archived"]
    refused = warden(folder, "runs", "tag", "run", "two words", code=2)
    assert "without blanks and commas" in refused
    assert "no run in none" in warden(folder, "runs", "note", "none", "x", code=1)

    out = warden(folder, "runs", "rm", "run")
    assert out == "deleted run; undo within 7 days: warden runs restore run\n"
    assert not (folder / "run").exists()
    assert "no run in run" in warden(folder, "runs", "rm", "run", code=1)
    assert warden(folder, "runs", "restore", "run") == "restored run\n"
    assert shown(folder)["marks"]["note"] == "too slow"
    assert "no deleted run run" in warden(folder, "runs", "restore", "run", code=1)
