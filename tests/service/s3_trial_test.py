"""create_trial reads a run in a bucket of the service, or of an S3 server that is not ours, also
while it grows."""

import subprocess

import pytest
from serving import PATIENCE, PYTHON, ROOT, Service

from support.buckets import Buckets

RUN = ROOT / "tests/golden/pt_save_all/trial"
SCRIPT = """
import sys
from pathlib import Path
import boto3
from smdebug.trials import S3Trial, create_trial

run, s3 = Path(sys.argv[1]), boto3.client("s3")
if "runs" not in [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]:
    s3.create_bucket(Bucket="runs")
files = sorted(path for path in run.rglob("*") if path.is_file())

def put(kept):
    for path in files:
        if kept(path):
            s3.upload_file(str(path), "runs", f"mine/debug-output/{path.relative_to(run)}")

put(lambda path: "index" not in path.parts and path.name != "training_job_end.ts")
indexes = [path for path in files if "index" in path.parts]
put(lambda path: path in indexes[:1])
trial = create_trial("s3://runs/mine/debug-output")
assert isinstance(trial, S3Trial)
assert (trial.name, trial.path) == ("debug-output", "s3://runs/mine/debug-output")
print("FIRST", len(trial.steps(show_incomplete_steps=True)), trial.loaded_all_steps)
put(lambda path: path in indexes or path.name == "training_job_end.ts")
local = create_trial(str(run))
print("ALL", trial.steps() == local.steps(), trial.tensor_names() == local.tensor_names())
name = local.tensor_names(collection="losses")[0]
last = local.tensor(name).steps()[-1]
print("VALUE", trial.tensor(name).value(last) == local.tensor(name).value(last))
print("END", trial.loaded_all_steps)
"""


@pytest.fixture(scope="module", params=["ours", "another"])
def s3(request, tmp_path_factory):
    """The variables that point at a server."""
    folder = tmp_path_factory.mktemp("s3-trial")
    if request.param == "ours":
        started = Service(folder).start()
        yield started.shell()
        started.stop()
    else:
        server = Buckets(folder).start()
        server.create("runs")
        yield server.environment()
        server.kill()


def run(variables, script, *arguments):
    return subprocess.run(
        [PYTHON, "-c", script, *arguments],
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_a_run_is_read_while_it_grows(s3):
    done = run(s3, SCRIPT, str(RUN))
    assert done.stdout == "FIRST 1 False\nALL True True\nVALUE True\nEND True\n", done.stderr


def test_a_bucket_that_is_not_there_is_named(s3):
    open_it = "from smdebug.trials import create_trial; create_trial('s3://nobodys/run')"
    done = run(s3, open_it)
    assert done.returncode == 1 and "NoSuchBucket" in done.stderr, done.stderr


def test_runs_are_read_in_place(s3, tmp_path):
    """Without boto3 and without a copy."""
    run(s3, SCRIPT.replace("mine", "still"), str(RUN))
    reading = """
import sys, tempfile
sys.modules["boto3"] = None
tempfile.tempdir = sys.argv[1]
from smdebug.trials import create_trial
trial = create_trial("s3://runs/still/debug-output/", range_steps=(1, 5))
print(trial.steps(), trial.tensor(trial.tensor_names()[0]).value(2).dtype)
reader = trial.index_reader
print(len(reader.list_index_files()), reader.list_event_files()[0].partition("events")[0])
"""
    done = run({**s3, "WARDEN_S3_CACHE": "off", "TMPDIR": str(tmp_path)}, reading, str(tmp_path))
    assert done.stdout == "[2, 4] float32\n4 s3://runs/still/debug-output/\n", done.stderr
    assert list(tmp_path.iterdir()) == []
