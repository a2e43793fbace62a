"""A handler written for AWS Lambda is run as a command."""

import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List

import pytest

STOP = """
import boto3

def lambda_handler(event, context):
    assert context.aws_request_id == "event-1"
    assert 0 < context.get_remaining_time_in_millis() <= 60000
    name = event["detail"]["TrainingJobName"]
    boto3.client("sagemaker").stop_training_job(TrainingJobName=name)
    return {"statusCode": 200}

def fails(event, context):
    raise RuntimeError("not this one")
"""


class Service(http.server.ThreadingHTTPServer):
    """Answers any call, and keeps it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.calls: List[Any] = []


class Answer(http.server.BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.calls.append((self.headers["X-Amz-Target"], json.loads(body)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def service() -> Any:
    with Service() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def run(
    handler: str, event: str, variables: Dict[str, str], folder: Path
) -> "subprocess.CompletedProcess[str]":
    environment = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
    environment.update({"XDG_CONFIG_HOME": str(folder / "config"), "WARDEN_EVENT_ID": "event-1"})
    environment.update(variables)
    return subprocess.run(
        [sys.executable, "-m", "tensorwarden.lambda_runner", handler],
        input=event,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )


EVENT = json.dumps({"detail": {"TrainingJobName": "demo-1"}})
KEYS = "[default]\naws_access_key_id = a\naws_secret_access_key = b\n"


def test_the_handlers_clients_speak_to_the_service(service: Service, tmp_path: Path) -> None:
    (tmp_path / "stop.py").write_text(STOP)
    (tmp_path / "keys").write_text(KEYS)
    variables = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{service.server_port}",
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "keys"),
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    done = run("stop.py:lambda_handler", EVENT, variables, tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"statusCode": 200}
    assert service.calls == [("SageMaker.StopTrainingJob", {"TrainingJobName": "demo-1"})]


def test_the_service_of_this_machine_is_found(service: Service, tmp_path: Path) -> None:
    (tmp_path / "stop.py").write_text(STOP)
    (tmp_path / "credentials").write_text(KEYS)
    notice = tmp_path / "config" / "tensorwarden" / "service.json"
    notice.parent.mkdir(parents=True)
    endpoint = f"http://127.0.0.1:{service.server_port}"
    notice.write_text(json.dumps({"endpoint": endpoint, "token_file": str(tmp_path / "token")}))
    done = run("stop.py", EVENT, {}, tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(service.calls) == 1


@pytest.mark.parametrize(
    ("handler", "event", "code", "message"),
    [
        ("stop.py:fails", "{}", 1, "RuntimeError: not this one"),
        ("stop.py:absent", "{}", 2, "has no function 'absent'"),
        ("absent.py:lambda_handler", "{}", 2, "no such file"),
        ("stop.py:lambda_handler", "{", 2, "standard input is not a JSON event"),
        ("broken.py:lambda_handler", "{}", 2, "SyntaxError"),
    ],
)
def test_what_fails_is_told(
    handler: str, event: str, code: int, message: str, tmp_path: Path
) -> None:
    (tmp_path / "stop.py").write_text(STOP)
    (tmp_path / "broken.py").write_text("def")
    done = run(handler, event, {}, tmp_path)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
