"""What the profiler saved of a run in S3: timelines, reports and rules, also while it grows."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from serving import PATIENCE, PYTHON, ROOT, WARDEN

PROFILE = ROOT / "python/tests/profiler/data/aligned"
TENSORS = ROOT / "tests/golden/pt_save_all/trial"
METRICS = "system/incremental/2026111501/1794705480.algo-1"
PLACE = "s3://runs/a"
RULES = (
    "--rules MaxInitializationTime:threshold=0,StepOutlier,LossNotDecreasing"
    " --fail-on never --json"
)


def warden(variables: dict, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [WARDEN, *words], env=variables, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == code, done
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("local") / "a"
    shutil.copytree(PROFILE, folder / "profiler-output")
    shutil.copytree(TENSORS, folder / "debug-output")
    return folder


@pytest.fixture(scope="module")
def s3(runs_server, local, tmp_path_factory):
    """What points at a server that has the run, and a temporary folder in which nothing stays."""
    temporary = tmp_path_factory.mktemp("temporary")
    variables = runs_server.environment(WARDEN_S3_CACHE="off", TMPDIR=str(temporary))
    warden(variables, "upload", str(local), PLACE)
    yield variables
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        ("timeline summary --json", ""),
        ("timeline summary --json --start 0.01 --end 0.05", "/profiler-output"),
        ("timeline path --json", ""),
        ("timeline flame --json", "/debug-output"),
        (f"eval {RULES}", "/debug-output"),
    ],
)
def test_commands_say_the_same_as_of_a_folder(words, folder, s3, local):
    there = warden(s3, *words.split(), PLACE + folder)
    here = warden(dict(os.environ), *words.split(), str(local) + folder)
    assert there.replace(PLACE, "RUN") == here.replace(str(local), "RUN")


def test_timelines_are_merged_into_a_file_of_this_machine(s3, local, tmp_path):
    assert "--out" in warden(s3, "timeline", "merge", PLACE, code=2)
    for run, variables in ((PLACE, s3), (str(local), dict(os.environ))):
        out = tmp_path / f"{len(run)}.json"
        warden(variables, "timeline", "merge", run, "--out", str(out))
    assert (tmp_path / f"{len(PLACE)}.json").read_bytes() == out.read_bytes()


def test_a_report_is_written_beside_the_run(s3, runs_server):
    said = json.loads(warden(s3, "report", "profiler", PLACE, "--json"))
    assert said["report"].startswith(f"{PLACE}/rule-output/ProfilerReport-"), said
    page = runs_server.root / said["report"].removeprefix("s3://")
    assert page.read_text().count("<html") == 1


def test_a_run_without_a_profile_is_named(s3):
    said = warden(s3, "timeline", "summary", "s3://runs/none", code=1)
    assert "s3://runs/none: no profiler data" in said
    assert "s3://runs/none/profiler-output or in s3://runs/profiler-output" in said


def test_a_job_is_named_by_the_address_of_its_run(s3, runs_server, local):
    script = """
import sys
from smdebug.profiler.analysis.notebook_utils.training_job import TrainingJob
for name in sys.argv[2:]:
    job = TrainingJob(name, "eu-central-1")
    job.wait_for_sys_profiling_data_to_be_available()
    job.wait_for_framework_profiling_data_to_be_available()
    assert job.get_sm_client() is None
    assert job.profiler_s3_output_path == sys.argv[1], job.profiler_s3_output_path
    assert job.profiler_config["S3OutputPath"] == sys.argv[1].rpartition("/")[0]
    readers = job.get_systems_metrics_reader(), job.get_framework_metrics_reader()
    print(*(len(reader.get_events(0, 1 << 62)) for reader in readers), end=" ")
    print(job.describe_training_job()["TrainingJobStatus"], job.profiler_config.get("Mine"))
"""

    def said(run, variables):
        names = [run, f"{run}/", f"{run}/debug-output", f"{run}/profiler-output"]
        done = subprocess.run(
            [PYTHON, "-c", script, f"{run}/profiler-output", *names],
            env={**variables, "SMDEBUG_LOG_LEVEL": "error"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    run, place = local.parent / "job", "s3://runs/job"
    shutil.copytree(local, run)
    (run / "profiler-output/profilerconfig.json").write_text('{"Mine": 7}')
    warden(s3, "upload", str(run), place)
    lines = said(place, s3)
    assert len(lines) == 4 and set(lines) == set(said(str(run), dict(os.environ)))
    assert lines[0].endswith("InProgress 7") and not lines[0].startswith("0 "), lines
    (runs_server.root / "runs/job/profiler-output/system/training_job_end.ts").touch()
    assert said(place, s3)[0].endswith("Completed 7")


def test_a_profile_is_followed_while_it_grows(s3, local, tmp_path):
    """From a file of metrics that is still written to the end."""
    early, place = tmp_path / "early", "s3://runs/live"
    shutil.copytree(local, early)
    (early / "debug-output/training_job_end.ts").unlink()
    metrics = early / "profiler-output" / f"{METRICS}.json"
    lines = metrics.read_bytes().splitlines(keepends=True)
    metrics.with_suffix(".part").write_bytes(b"".join(lines[: len(lines) // 2]))
    metrics.unlink()
    for timeline in (early / "profiler-output/framework").rglob("*timeline.json"):
        timeline.unlink()
    warden(s3, "upload", str(early), place)
    watch = subprocess.Popen(
        [WARDEN, "watch", f"{place}/debug-output", *RULES.split()],
        env=s3,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        late = tmp_path / "late"
        shutil.copytree(local, late)
        for kind in ("system", "framework"):
            (late / f"profiler-output/{kind}/training_job_end.ts").touch()
        warden(s3, "upload", str(late), place)
        said, troubles = watch.communicate(timeout=PATIENCE)
    finally:
        watch.kill()
    assert watch.returncode == 0, troubles
    findings = [one for rule in json.loads(said)["rules"] for one in rule["findings"]]
    # The first step is in the timeline, which came late.
    assert [one["last_step"] for one in findings] == [11], findings
