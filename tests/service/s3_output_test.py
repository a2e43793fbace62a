"""Runs that are saved to S3: a local spool takes every file first, another process sends them."""

import fcntl
import json
import random
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from s3_training import (
    END,
    PLACE,
    Training,
    contents,
    holder_of,
    steps_in,
    wait_for_steps,
    wait_until,
)
from serving import PATIENCE, PYTHON, SCRIPTS

KILLS = 20


@pytest.fixture
def training(tmp_path):
    made = Training(tmp_path)
    yield made
    made.close()


def test_the_run_is_whole_though_the_server_is_killed_again_and_again(training):
    run = training.start()
    entry = run.parent
    # Another writer, so that the spool is still there to be compared.
    with (entry / "writers").open("rb+") as writers:
        fcntl.lockf(writers, fcntl.LOCK_SH)
        chance = random.Random(7)
        for _ in range(KILLS):
            wanted = steps_in(run) + chance.randrange(1, 30)
            wait_for_steps(run, wanted)
            training.server.kill()
            if chance.random() < 0.3:  # Away for some steps more.
                wait_for_steps(run, wanted + 20)
            training.server.start()
        training.finish()
        assert (run / END).exists()
        wait_until(lambda: contents(training.bucket) == contents(run), "not all is sent")
        assert steps_in(run) > KILLS
    training.wait_for_upload()
    training.warden("trial", "verify", PLACE)


def test_training_does_not_need_the_server(training):
    training.server.kill()
    run = training.start("50")
    assert training.process.wait(timeout=PATIENCE) == 0
    saved = contents(run)
    assert END in saved
    training.server.start()
    training.wait_for_upload()
    assert contents(training.bucket) == saved


def test_training_does_not_wait_for_a_server_that_never_answers(training):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        training.variables["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{silent.getsockname()[1]}"
        run = training.start("50")
        # It is asked, by the process that sends.
        silent.settimeout(PATIENCE)
        asked, _ = silent.accept()
        with asked:
            assert training.process.wait(timeout=PATIENCE) == 0
            assert steps_in(run) == 50
            assert (run / END).exists()
            assert holder_of(run.parent / "uploader") != 0


def test_a_training_process_has_no_connection_to_wait_for(training):
    """Whatever the server does, no step can wait for it."""
    run = training.start()
    process = Path(f"/proc/{training.process.pid}")
    for _ in range(3):
        wait_for_steps(run, steps_in(run) + 10)
        open_files = [str(path.readlink()) for path in (process / "fd").iterdir()]
        assert not [name for name in open_files if name.startswith("socket:")]
        assert "libcurl" not in (process / "maps").read_text()
        training.server.kill()
        training.server.start()
    training.finish()
    training.wait_for_upload()


def test_what_a_killed_training_leaves_is_sent_later(training, tmp_path):
    run = training.start()
    wait_until(lambda: training.bucket.exists() and len(contents(run)) > 20)
    training.server.kill()  # So that something is left.
    steps = len(contents(run))
    wait_until(lambda: len(contents(run)) > steps + 20)
    training.process.kill()
    training.process.wait()
    training.kill_uploader(run.parent)
    saved = tmp_path / "saved"
    shutil.copytree(run, saved)
    training.server.start()
    said = json.loads(training.warden("upload", "--json").stdout)
    assert [(one["place"], one["done"], one["error"]) for one in said] == [(PLACE, True, None)]
    assert contents(training.bucket) == contents(saved)
    assert training.entries() == []
    assert "no runs wait for S3" in training.warden("upload").stdout


def test_the_next_training_sends_what_was_left(training, tmp_path):
    training.server.kill()
    run = training.start("5")
    assert training.process.wait(timeout=PATIENCE) == 0
    training.process.stdout.close()
    training.kill_uploader(run.parent)
    saved = contents(run)
    training.server.start()
    training.start("5", place="s3://runs/another")
    assert training.process.wait(timeout=PATIENCE) == 0
    training.wait_for_upload()
    assert contents(training.bucket) == saved
    assert (training.server.root / "runs/another" / END).exists()


def test_a_killed_uploader_is_replaced(training):
    run = training.start()
    training.kill_uploader(run.parent)
    wait_until(lambda: holder_of(run.parent / "uploader") != 0, "nobody sends any more")
    training.finish()
    training.wait_for_upload()
    assert (training.bucket / END).exists()


def test_a_finished_run_is_left_alone(training):
    training.bucket.mkdir(parents=True)
    (training.bucket / END).write_text("")
    training.start("5")
    assert training.process.wait(timeout=PATIENCE) == 0
    wait_until(lambda: all(holder_of(entry / "uploader") == 0 for entry in training.entries()))
    told = training.warden("upload", code=1).stderr
    assert f"{PLACE} already contains a finished run" in told
    assert [path.name for path in training.bucket.iterdir()] == [END]


def test_the_spool_is_bounded(training):
    training.server.kill()
    training.variables["WARDEN_S3_SPOOL_MB"] = "2"
    command = [PYTHON, SCRIPTS / "save_to_s3.py", PLACE, training.spool / "never", "200"]
    done = subprocess.run(
        command, env=training.variables, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert "is 80 % full" in done.stderr and "is full" in done.stderr
    size = sum(path.stat().st_size for path in training.spool.rglob("*") if path.is_file())
    assert size < 3 << 20
    training.server.start()
    training.wait_for_upload()


def test_sent_tensors_make_room_for_more(training):
    training.variables["WARDEN_S3_SPOOL_MB"] = "100"
    run = training.start()

    def count(folder: Path, what: str) -> int:
        return len(list((folder / what).rglob("*_worker_0.*")))

    wait_until(lambda: count(run, "events") < count(run, "index") - 20, "nothing is removed")
    training.finish()
    training.wait_for_upload()
    assert count(training.bucket, "events") == count(training.bucket, "index") > 100
    training.warden("trial", "verify", PLACE)


def test_warden_run_saves_to_s3(training, tmp_path):
    script = tmp_path / "train.py"
    script.write_text((SCRIPTS / "save_to_s3.py").read_text())
    never = tmp_path / "never"
    words = ["run", "--out", PLACE, "--verbose", "--", str(PYTHON), str(script)]
    # The script has its own hook, with the place of `warden run`.
    done = training.warden(*words, PLACE, str(never), "20")
    assert f"saving to {PLACE}" in done.stderr
    training.wait_for_upload()  # Sent it is; the last of it may still be removed.
    assert (training.bucket / "warden/hook.json").exists()
    assert (training.bucket / END).exists()
    again = training.warden(*words, PLACE, str(never), "20", code=2)
    assert "already contains a finished run" in again.stderr


def test_what_is_wrong_is_named_before_the_training(training, tmp_path):
    def said(place: str, **variables: str) -> str:
        training.variables.update(variables)
        return training.warden("run", "--out", place, "--", "true", code=1).stderr

    assert "s3://nobodys" in said("s3://nobodys/run")
    training.variables["AWS_SECRET_ACCESS_KEY"] = "wrong"
    assert "HTTP status 403" in said(PLACE)
    assert training.entries() == []
