"""Requests of every kind of wrongness: each is answered as documented, and nothing breaks."""

import http.client
import itertools
import json
import os
import random
import socket
import threading

import pytest
from generate_requests import requests
from serving import PATIENCE, Service

REQUESTS = int(os.environ.get("WARDEN_REQUESTS", "10000"))
THREADS = 4
KNOWN = {
    "ValidationException",
    "SerializationException",
    "UnknownOperationException",
    "ResourceInUse",
    "ResourceNotFound",
    "ResourceLimitExceeded",
    "RequestTooLargeException",
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("hostile"), "--jobs-at-once", "2").start()
    yield started
    # Also where a sanitizer would tell of leaks at the end.
    assert started.stop() == 0, started.log.read_text()[-5000:]


def send(service, seed, count, answered, wrong):
    """Sends that many requests on one connection, as long as the service keeps it."""
    address = service.endpoint.removeprefix("http://")
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    for target, body, what in itertools.islice(requests(seed), count):
        headers = {
            "X-Amz-Target": target,
            "Content-Type": "application/x-amz-json-1.1",
            "Authorization": f"Bearer {service.token()}",
        }
        try:
            connection.request("POST", "/", body, headers)
            answer = connection.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            wrong.append((target, body[:300], what, repr(error)))
            connection.close()
            continue
        answered.append(answer.status)
        if answer.status == 200:
            if data:
                json.loads(data)
            continue
        told = json.loads(data)
        if not (
            answer.status in (400, 413)
            and told["__type"] in KNOWN
            and told["message"]
            and answer.getheader("x-amzn-ErrorType") == told["__type"]
            and answer.getheader("x-amzn-RequestId")
        ):
            wrong.append((target, body[:300], what, answer.status, data[:300]))
    connection.close()


def test_every_request_is_answered_as_documented(service):
    answered, wrong = [], []
    threads = [
        threading.Thread(target=send, args=(service, seed, REQUESTS // THREADS, answered, wrong))
        for seed in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [], wrong[:5]
    assert len(answered) == REQUESTS // THREADS * THREADS
    assert {200, 400} <= set(answered)


def test_bytes_that_are_no_http(service):
    host, port = service.endpoint.removeprefix("http://").split(":")
    chance = random.Random(3)
    pieces = [
        b"GET / HTTP/1.1\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PUT /bucket/../../etc/passwd HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
        b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
    for number in range(300):
        data = chance.choice(pieces) if number % 2 else chance.randbytes(chance.randint(1, 200))
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as raw:
            raw.sendall(data)
            raw.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while piece := raw.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
        assert b" 200 " not in answer[:20] and b" 500 " not in answer[:20], (data[:80], answer)
        assert b"root:" not in answer
    assert service.call("ListTrainingJobs")["TrainingJobSummaries"] is not None


def test_without_a_key_nothing_is_answered(service):
    address = service.endpoint.removeprefix("http://")
    for path, method, headers in (
        ("/", "POST", {"X-Amz-Target": "SageMaker.ListTrainingJobs"}),
        ("/", "POST", {"X-Amz-Target": "Logs_20140328.DescribeLogGroups"}),
        ("/", "GET", {}),
        ("/demo-bucket", "PUT", {}),
        ("/demo-bucket?list-type=2", "GET", {}),
        ("/-/events", "GET", {}),
        ("/-/exec?job=a&host=algo-1", "GET", {"Upgrade": "websocket"}),
    ):
        for key in ({}, {"Authorization": "Bearer " + "0" * 64}):
            connection = http.client.HTTPConnection(address, timeout=PATIENCE)
            connection.request(method, path, headers=headers | key)
            answer = connection.getresponse()
            answer.read()
            assert answer.status in (400, 401, 403), (method, path, answer.status)
            connection.close()
