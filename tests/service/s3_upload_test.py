"""`warden upload`: runs are copied to S3, also while they grow and while the server is away."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from serving import PATIENCE, ROOT, WARDEN, Service

from support.buckets import Buckets

RUN = ROOT / "tests/golden/pt_save_all/trial"
END = "training_job_end.ts"
PLACE = "s3://runs/mine"


@pytest.fixture(params=["another", "ours"])
def server(request, tmp_path):
    """A server, as something to kill and start, its variables, and the folder of its bucket."""
    if request.param == "another":
        started = Buckets(tmp_path / "server").start()
        variables, bucket = started.environment(), started.root / "runs"
    else:
        started = Service(tmp_path / "server").start()
        variables, bucket = started.shell(), started.data / "s3/runs"
    bucket.mkdir(parents=True)
    yield started, variables, bucket
    started.kill()


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def upload(variables: dict, *words: str) -> dict:
    done = subprocess.run(
        [WARDEN, "upload", *words, "--json"],
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_is_there_already_is_not_sent_again(server, tmp_path):
    _, variables, bucket = server
    run = tmp_path / "run"
    shutil.copytree(RUN, run)
    files = len(contents(run))
    (run / "index/unfinished.json.tmp").write_text("half")
    assert upload(variables, str(run), PLACE)["files"] == files
    assert contents(bucket / "mine") == contents(RUN)
    assert upload(variables, str(run), PLACE)["files"] == 0
    (run / "notes.txt").write_text("new")
    sent = upload(variables, str(run), PLACE)
    assert (sent["files"], sent["bytes"], sent["ended"]) == (1, 3, True)


def test_a_large_file_is_sent_in_parts(server, tmp_path):
    _, variables, bucket = server
    run = tmp_path / "run"
    run.mkdir()
    (run / "large").write_bytes(bytes(range(256)) * (80 << 10))
    assert upload(variables, str(run), PLACE)["bytes"] == 20 << 20
    assert (bucket / "mine/large").read_bytes() == (run / "large").read_bytes()


def test_a_growing_run_arrives_whole_though_server_and_uploader_are_killed(server, tmp_path):
    started, variables, bucket = server
    run = tmp_path / "run"
    command = [WARDEN, "upload", "--follow", str(run), PLACE]

    def begin() -> subprocess.Popen:
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, env=variables, stdout=quiet, stderr=quiet)

    uploader = begin()
    steps = sorted(path for path in RUN.rglob("*") if path.is_file() and path.name != END)
    for number, path in enumerate(steps):
        copy = run / path.relative_to(RUN)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy.with_suffix(".tmp"))
        copy.with_suffix(".tmp").rename(copy)
        if number in (2, 5):
            started.kill()
            started.start()
        if number == 4:
            uploader.kill()
            uploader.wait()
            uploader = begin()
    shutil.copy(RUN / END, run / END)
    assert uploader.wait(timeout=PATIENCE) == 0
    assert contents(bucket / "mine") == contents(RUN)


def test_what_is_wrong_is_named(server, tmp_path):
    _, variables, _ = server

    def said(*words: str, **more: str) -> str:
        done = subprocess.run(
            [WARDEN, "upload", *words],
            env={**variables, "AWS_MAX_ATTEMPTS": "1", **more},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode in (1, 2)
        return done.stderr

    assert "no such folder" in said(str(tmp_path / "none"), PLACE)
    assert "expected s3://bucket/folder" in said(str(RUN), "runs/mine")
    assert "s3://nobodys/" in said(str(RUN), "s3://nobodys/mine")
    away = said(str(RUN), PLACE, AWS_ENDPOINT_URL="http://127.0.0.1:1")
    assert "does not answer" in away and "run the command again" in away
