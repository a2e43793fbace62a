"""What requests to S3 look like: how they name the bucket, and the encryption they ask for."""

import json
import subprocess
from pathlib import Path

import pytest
from serving import PATIENCE, ROOT, WARDEN

from support.buckets import Buckets
from support.passing_server import PassingServer

RUN = ROOT / "tests/golden/pt_save_all/trial"
PLACE = "s3://runs/mine"
ENCRYPTION = "x-amz-server-side-encryption"


def warden(variables: dict, *words: str) -> str:
    done = subprocess.run(
        [WARDEN, *words], env=variables, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def between(runs_server):
    with PassingServer(runs_server.endpoint) as server:
        yield server


def test_buckets_are_named_by_the_host(tmp_path):
    # What ends in "localhost" is this machine, for libcurl too. The signature has the host.
    server = Buckets(tmp_path, "--virtual-domain", "localhost").start()
    server.create("runs")
    try:
        with PassingServer(server.endpoint) as between:
            variables = server.environment(
                AWS_ENDPOINT_URL=f"http://localhost:{between.port}",
                WARDEN_S3_ADDRESSING="virtual",
                WARDEN_S3_CACHE="off",
            )
            sent = json.loads(warden(variables, "upload", str(RUN), PLACE, "--json"))
            there = warden(variables, "trial", "steps", PLACE)
        assert there == warden(variables, "trial", "steps", str(RUN))
        files = [path for path in RUN.rglob("*") if path.is_file()]
        assert sent["files"] == len(files)
        for path in files:
            copy = server.root / "runs/mine" / path.relative_to(RUN)
            assert copy.read_bytes() == path.read_bytes()
        assert {one.headers["host"] for one in between.asked} == {f"runs.localhost:{between.port}"}
        assert not [one.path for one in between.asked if one.path.startswith("/runs")]
    finally:
        server.kill()


def test_buckets_are_named_by_the_path_by_default(between, runs_server):
    variables = runs_server.environment(AWS_ENDPOINT_URL=between.endpoint, WARDEN_S3_CACHE="off")
    warden(variables, "upload", str(RUN), f"{PLACE}/path")
    assert between.asked
    for one in between.asked:
        assert one.headers["host"] == f"127.0.0.1:{between.port}"
        assert one.path.startswith("/runs/")


@pytest.mark.parametrize(
    ("settings", "headers"),
    [
        ({}, {}),
        ({"WARDEN_S3_ENCRYPTION": "AES256"}, {ENCRYPTION: "AES256"}),
        ({"WARDEN_S3_ENCRYPTION": "aws:kms"}, {ENCRYPTION: "aws:kms"}),
    ],
)
def test_new_objects_are_encrypted_as_asked(between, runs_server, tmp_path, settings, headers):
    variables = runs_server.environment(AWS_ENDPOINT_URL=between.endpoint, **settings)
    (tmp_path / "small").write_text("one request")
    (tmp_path / "large").write_bytes(bytes(9 << 20))
    place = f"{PLACE}/{tmp_path.name}"
    warden(variables, "upload", str(tmp_path), place)
    # Not the parts, nor what reads: S3 refuses the headers there.
    begin = [one for one in between.asked if one.method == "POST" and "uploads" in one.path]
    whole = [one for one in between.asked if one.method == "PUT" and "uploadId" not in one.path]
    assert len(begin) == 1 and whole
    for one in between.asked:
        given = {name: text for name, text in one.headers.items() if name.startswith(ENCRYPTION)}
        assert given == (headers if one in begin + whole else {}), one
        signed = one.headers["authorization"].partition("SignedHeaders=")[2].partition(",")[0]
        assert set(given) <= set(signed.split(";"))
    for name in ("small", "large"):
        bucket = Path(runs_server.root)
        sent = bucket / place.removeprefix("s3://") / name
        assert sent.read_bytes() == (tmp_path / name).read_bytes()
