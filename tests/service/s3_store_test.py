"""Stores and runs in S3, on a server that is not ours and on our own."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from serving import PATIENCE, PYTHON, ROOT, WARDEN, Service, wait_until

from support.buckets import Buckets

RUN = ROOT / "tests/golden/pt_save_all/trial"
BUCKET = "runs"


def put(folder: Path, prefix: str, environment: dict) -> str:
    """Copies a folder to the server; returns where it is."""
    place = f"s3://{BUCKET}/{prefix}"
    command = ["aws", "s3", "cp", "--quiet", "--recursive", str(folder), place]
    subprocess.run(command, env=environment, check=True, timeout=PATIENCE)
    return place


def warden(environment: dict, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [WARDEN, *words], env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == code, done
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def another(tmp_path_factory):
    """A server that is not ours."""
    folder = tmp_path_factory.mktemp("another")
    server = Buckets(folder).start()
    server.create(BUCKET)
    yield server
    server.kill()


@pytest.fixture(scope="module", params=["another", "ours"])
def variables(request, tmp_path_factory):
    """What points at a server, with a cache of its own."""
    cache = str(tmp_path_factory.mktemp("cache"))
    if request.param == "another":
        yield request.getfixturevalue("another").environment(WARDEN_S3_CACHE=cache)
        return
    service = Service(tmp_path_factory.mktemp("ours")).start()
    (service.data / "s3" / BUCKET).mkdir(parents=True)
    yield {**service.shell(), "WARDEN_S3_CACHE": cache}
    service.stop()


@pytest.fixture(scope="module")
def run(variables):
    return put(RUN, "mine/debug-output", variables)


def test_stores_keep_the_contract_of_all_stores(variables, programs):
    # An object that is replaced can no longer be read, and changes are not reported: s3_store.h.
    chosen = "All/StoreContract.*/S3:-*Watch*:*OutlivesItsReplacement*"
    done = subprocess.run(
        [programs / "storage_test", f"--gtest_filter={chosen}"],
        env={**variables, "WARDEN_TEST_S3": f"s3://{BUCKET}/contract"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"PASSED  \] (\d+) tests", done.stdout)
    assert passed and int(passed[1]) >= 18, done.stdout


@pytest.mark.parametrize(
    "words",
    [
        "trial ls --json",
        "trial tensors --json",
        "trial steps",
        "trial collections --json",
        "trial verify --json",
        "eval --json",
    ],
)
def test_commands_say_the_same_as_of_a_folder(words, variables, run, tmp_path):
    local = tmp_path / "debug-output"
    shutil.copytree(RUN, local)
    there = warden(variables, *words.split(), run)
    here = warden(dict(os.environ), *words.split(), str(local))
    assert there.replace(run, "RUN") == here.replace(str(local), "RUN")


def test_the_runs_below_a_place_are_listed(variables, tmp_path):
    for name in ("deep/b", "deep/down/a/debug-output"):
        put(RUN, f"list/{name}", variables)
    shutil.copytree(RUN / "index", tmp_path / "system")
    put(tmp_path, "list/deep/no-tensors/profiler-output", variables)
    place = f"s3://{BUCKET}/list"
    rows = json.loads(warden(variables, "trial", "ls", place, "--json"))
    found = [row["run"] for row in rows]
    assert found == [f"{place}/deep/b", f"{place}/deep/down/a/debug-output"]
    assert rows[0]["bytes"] == sum(path.stat().st_size for path in RUN.rglob("*") if path.is_file())
    assert json.loads(warden(variables, "trial", "ls", found[0], "--json")) == rows[:1]
    assert f"no runs in {place}/none" in warden(variables, "trial", "ls", f"{place}/none", code=1)


def test_results_are_recorded_beside_the_run(variables, run):
    rules = ["--rules", "LossNotDecreasing"]
    warden(variables, "eval", run, *rules, "--record")
    recorded = f"s3://{BUCKET}/mine/rule-output/LossNotDecreasing/status.json"
    shown = subprocess.run(
        ["aws", "s3", "cp", recorded, "-"], env=variables, capture_output=True, check=True
    )
    assert json.loads(shown.stdout)


def test_a_run_is_opened_with_few_requests_and_again_with_fewer(another, tmp_path):
    variables = another.environment(WARDEN_S3_CACHE=str(tmp_path / "cache"))
    place = put(RUN, "few/debug-output", variables)
    files = len(list((RUN / "index").rglob("*.json")))

    def requests(of_files: int) -> list[str]:
        before = len(another.requests())
        warden(variables, "trial", "show", place, "SmallCNN_fc.weight", "--json")
        is_of_file = re.compile("/(index|events)/").search
        # Lines of the log may be late.
        wait_until(lambda: len([*filter(is_of_file, another.requests()[before:])]) >= of_files)
        return another.requests()[before:]

    first = requests(files + 1)
    assert sum("/index/" in line for line in first) == files
    assert sum("/events/" in line for line in first) == 1
    second = requests(0)
    assert sum("/index/" in line for line in second) == 0
    assert [line for line in second if "/events/" in line and "| 304 |" not in line] == []
    assert len(second) <= len(first) - files


def test_a_cache_is_bounded_and_can_be_left_out(another, tmp_path):
    variables = another.environment(WARDEN_S3_CACHE="off", HOME=str(tmp_path))
    place = put(RUN, "uncached/debug-output", variables)
    warden(variables, "eval", place)
    assert not (tmp_path / ".cache").exists()
    said = warden(
        {**variables, "WARDEN_S3_CACHE": "x", "WARDEN_S3_CACHE_MB": "-1"}, "eval", place, code=2
    )
    assert "WARDEN_S3_CACHE_MB" in said


@pytest.mark.parametrize(
    ("changed", "place", "said"),
    [
        ({}, "s3://nobodys/run", "GET s3://nobodys/: HTTP status 404 NoSuchBucket"),
        ({}, f"s3://{BUCKET}/nowhere", "not a run: s3://runs/nowhere"),
        ({"AWS_SECRET_ACCESS_KEY": "wrong"}, f"s3://{BUCKET}/a", "HTTP status 403"),
        ({"AWS_SECRET_ACCESS_KEY": ""}, f"s3://{BUCKET}/a", "set AWS_ACCESS_KEY_ID"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, f"s3://{BUCKET}/a", "does not answer"),
        ({"AWS_PROFILE": "x", "AWS_ACCESS_KEY_ID": ""}, f"s3://{BUCKET}/a", "AWS_PROFILE"),
        ({}, "s3://a//b", "expected s3://bucket/folder"),
    ],
)
def test_errors_name_the_place_and_what_to_do(another, changed, place, said):
    variables = another.environment(AWS_MAX_ATTEMPTS="2", **changed)
    done = subprocess.run(
        [WARDEN, "eval", place], env=variables, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert place.split("/")[2] in done.stderr
    assert "not/a+secret==" not in done.stderr


def test_profiles_and_files_are_used(another, tmp_path):
    variables = another.environment()
    place = put(RUN, "profile/debug-output", variables)
    (tmp_path / "credentials").write_text(
        f"[team]\naws_access_key_id = {variables['AWS_ACCESS_KEY_ID']}\n"
        f"aws_secret_access_key = {variables['AWS_SECRET_ACCESS_KEY']}\n"
    )
    (tmp_path / "config").write_text(
        f"[profile team]\nregion = {variables['AWS_REGION']}\nendpoint_url = {another.endpoint}\n"
    )
    clean = {name: value for name, value in variables.items() if not name.startswith("AWS_")}
    warden(
        {
            **clean,
            "AWS_PROFILE": "team",
            "AWS_CONFIG_FILE": str(tmp_path / "config"),
            "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"),
            "AWS_EC2_METADATA_DISABLED": "true",
        },
        "trial",
        "steps",
        place,
    )


def test_a_live_run_is_watched_while_the_server_is_killed_and_started(tmp_path):
    server = Buckets(tmp_path).start()
    server.create(BUCKET)
    variables = server.environment(WARDEN_S3_CACHE=str(tmp_path / "cache"))
    files = sorted(path for path in RUN.rglob("*") if path.is_file())
    late = [path for path in files if "index" in path.parts][2:] + [RUN / "training_job_end.ts"]
    for path in files:
        copy = tmp_path / ("late" if path in late else "early") / path.relative_to(RUN)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    place = f"s3://{BUCKET}/live/debug-output"
    warden(variables, "upload", str(tmp_path / "early"), place)
    watch = subprocess.Popen(
        [WARDEN, "watch", place, "--rules", "ExplodingTensor", "--json"],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(2):
            server.kill()
            server.start()
        warden(variables, "upload", str(tmp_path / "late"), place)
        said, troubles = watch.communicate(timeout=PATIENCE)
    finally:
        watch.kill()
        server.kill()
    assert watch.returncode == 0, troubles
    assert json.loads(said)["rules"][0]["coverage"]["steps"] == 4, said + troubles


def test_a_training_process_loads_no_network_library():
    script = "import tensorwarden._core; print('libcurl' in open('/proc/self/maps').read())"
    done = subprocess.run([PYTHON, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "False\n", done.stderr
