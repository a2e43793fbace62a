"""An S3 server that is not ours, on loopback: see s3_server/README.md."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from support.ports import free_port

PROGRAM = Path(__file__).resolve().parent.parent.parent / "build/s3-server/versitygw"
REGION = "eu-central-1"
KEY, SECRET = "warden-tests", "not/a+secret=="
LIMIT_S = 120


class Buckets:
    """A server whose buckets are the folders of `root`. It may be killed and started again."""

    def __init__(self, folder: Path, *options: str):
        """`options` are some of versitygw's."""
        self.root = folder / "buckets"
        self.root.mkdir(parents=True)
        self._log = folder / "s3-server.log"
        self._metadata = folder / "metadata"
        self._metadata.mkdir()
        self._process: subprocess.Popen[bytes] | None = None
        self._asked = 0
        self._options = options
        self._port = free_port()
        self.endpoint = f"http://127.0.0.1:{self._port}"

    def start(self) -> Buckets:
        options = ["--port", f"127.0.0.1:{self._port}", "--region", REGION, "--keep-alive"]
        options += self._options
        # Not every file system has extended attributes.
        backend = ["posix", "--sidecar", str(self._metadata), str(self.root)]
        environment = {"ROOT_ACCESS_KEY": KEY, "ROOT_SECRET_KEY": SECRET, "PATH": os.defpath}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [PROGRAM, *options, *backend], env=environment, stdout=log, stderr=log
            )
        deadline = time.monotonic() + LIMIT_S
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.02)
        return self

    def create(self, bucket: str) -> None:
        (self.root / bucket).mkdir()

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def requests(self) -> list[str]:
        """The lines of the server's log, one for each request that was made so far. A line is
        written some time after the answer: it waits for that of a request of its own."""
        self._asked += 1
        mark = f"/asked-{self._asked}"
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(self.endpoint + mark, timeout=LIMIT_S).close()
        deadline = time.monotonic() + LIMIT_S
        while mark not in (text := self._log.read_text()):
            assert time.monotonic() < deadline, f"the server's log has no line for {mark}"
            time.sleep(0.05)
        lines = [line for line in text.splitlines() if line.count("|") > 6]
        return [line for line in lines if "/asked-" not in line]

    def environment(self, **more: str) -> dict[str, str]:
        """What points the cloud's clients, and warden, at the server."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        return {
            **clean,
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "AWS_EC2_METADATA_DISABLED": "true",
            **more,
        }

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0
