"""Strangers who only connect: they must not use up what jobs and other clients need."""

import http.client
import json
import re
import resource
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import serving
from serving import PATIENCE, Service, script_job

STRANGERS = 1100


@pytest.fixture
def serve(tmp_path, monkeypatch):
    """Starts a service with these limits of descriptors, soft and hard."""
    started = []

    def start(soft: int, hard: int) -> Service:
        limited = tmp_path / "limited"
        limited.write_text(
            f'#!/bin/sh\nulimit -Sn {soft} && ulimit -Hn {hard} && exec {serving.WARDEN} "$@"\n'
        )
        limited.chmod(0o755)
        monkeypatch.setattr(serving, "WARDEN", limited)
        started.append(Service(tmp_path).start())
        return started[-1]

    yield start
    for service in started:
        assert service.stop() == 0, service.log.read_text()[-5000:]


def create(connection: http.client.HTTPConnection, service: Service, name: str) -> int:
    headers = {
        "X-Amz-Target": "SageMaker.CreateTrainingJob",
        "Content-Type": "application/x-amz-json-1.1",
        "Authorization": f"Bearer {service.token()}",
    }
    connection.request("POST", "/", json.dumps(script_job(name, "quick.py")), headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def test_the_limit_of_descriptors_is_raised(serve):
    service = serve(512, 2048)
    limits = Path(f"/proc/{service.process.pid}/limits").read_text()
    (soft,) = re.findall(r"^Max open files +(\d+)", limits, re.MULTILINE)
    assert int(soft) == 2048


def test_idle_strangers_keep_nobody_out(serve):
    # As many descriptors as systems give by default, and no more to be had.
    service = serve(1024, 1024)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    address = urlsplit(service.endpoint)
    client = http.client.HTTPConnection(address.netloc, timeout=PATIENCE)
    assert create(client, service, "alone") == 200
    strangers = []
    try:
        for _ in range(STRANGERS):
            stranger = socket.create_connection((address.hostname, address.port), timeout=PATIENCE)
            # Then it may stay for a minute, until its next request.
            stranger.sendall(f"GET /-/health HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
            strangers.append(stranger)
        fresh = http.client.HTTPConnection(address.netloc, timeout=PATIENCE)
        assert create(fresh, service, "crowd") == 200
        job = service.wait_until_over("crowd")
        assert job["TrainingJobStatus"] == "Completed", job.get("FailureReason")
    finally:
        for stranger in strangers:
            stranger.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
