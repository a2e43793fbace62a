"""Recorded data, what the original library says of it, and an S3 server on this machine."""

import json
import os
import re
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

from smdebug.core.access_layer.s3handler import S3Handler
from smdebug.profiler.profiler_config_parser import ProfilerConfigParser

DATA = Path(__file__).parent / "data"
FIRST_US = 1794705514568837


@pytest.fixture(scope="session")
def expected():
    return json.loads((DATA / "expected.json").read_text())


@pytest.fixture(scope="session")
def run():
    return str(DATA / "run")


@pytest.fixture(scope="session")
def aligned():
    return str(DATA / "aligned")


@pytest.fixture
def configure(tmp_path, monkeypatch):
    """Writes a configuration of the profiler and gives a parser that follows it."""
    path = tmp_path / "profilerconfig.json"
    monkeypatch.setenv("SMPROFILER_CONFIG_PATH", str(path))

    def write(document):
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return ProfilerConfigParser()

    write.path = path
    return write


@pytest.fixture
def enabled(configure, tmp_path):
    """A parser with profiling on, into a fresh folder."""
    return configure({"ProfilingParameters": {"LocalPath": str(tmp_path / "out")}})


@pytest.fixture(scope="session")
def s3_server():
    """The address of an S3 server of our own, which chooses its port."""
    command = [sys.executable, "-u", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        told = ""
        for line in server.stderr:
            told += line
            if found := re.search(r"Running on (http://\S+)", line):
                break
        else:
            pytest.fail(f"the S3 server has ended: {told}")
        # What it says of each request must not fill the pipe.
        threading.Thread(target=server.stderr.read, daemon=True).start()
        yield found[1]
    finally:
        server.terminate()
        server.wait(120)


@pytest.fixture
def s3(s3_server, monkeypatch):
    """A client of an empty server; the process's own client talks to it, too."""
    for name, value in (
        ("AWS_ENDPOINT_URL", s3_server),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    request = urllib.request.Request(f"{s3_server}/moto-api/reset", method="POST")
    urllib.request.urlopen(request, timeout=120).close()
    S3Handler.client.cache_clear()
    yield S3Handler.client()
    S3Handler.client.cache_clear()


@pytest.fixture
def upload(s3):
    """Puts a folder into the bucket `bucket` below a prefix and gives its s3:// path."""
    s3.create_bucket(Bucket="bucket")

    def put(folder, prefix):
        for root, _, names in os.walk(folder):
            for name in names:
                path = Path(root, name)
                key = f"{prefix}/{path.relative_to(folder)}"
                s3.put_object(Bucket="bucket", Key=key, Body=path.read_bytes())
        return f"s3://bucket/{prefix}"

    return put
