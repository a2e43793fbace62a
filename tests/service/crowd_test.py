"""Strangers who only connect: they must not use up what jobs and other clients need."""

import http.client
import json
import resource
import socket
from urllib.parse import urlsplit

import pytest
import serving
from serving import Service, script_job

STRANGERS = 1100


@pytest.fixture
def service(tmp_path, monkeypatch):
    """With as many descriptors as systems give by default, and no more to be had."""
    few = tmp_path / "few-descriptors"
    few.write_text(f'#!/bin/sh\nulimit -n 1024\nexec {serving.WARDEN} "$@"\n')
    few.chmod(0o755)
    monkeypatch.setattr(serving, "WARDEN", few)
    started = Service(tmp_path).start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


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


def test_idle_strangers_keep_nobody_out(service):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    address = urlsplit(service.endpoint)
    client = http.client.HTTPConnection(address.netloc, timeout=60)
    assert create(client, service, "alone") == 200
    strangers = []
    try:
        for _ in range(STRANGERS):
            stranger = socket.create_connection((address.hostname, address.port), timeout=30)
            # Then it may stay for a minute, until its next request.
            stranger.sendall(f"GET /-/health HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
            strangers.append(stranger)
        fresh = http.client.HTTPConnection(address.netloc, timeout=5)
        assert create(fresh, service, "crowd") == 200
        job = service.wait_until_over("crowd")
        assert job["TrainingJobStatus"] == "Completed", job.get("FailureReason")
    finally:
        for stranger in strangers:
            stranger.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
