"""What actions talk to: servers on loopback that keep what they get."""

import json
import os
import subprocess
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PROGRAM = (
    Path(
        os.environ.get("WARDEN_BIN", Path(os.environ.get("WARDEN", "build/bin/warden")).parent)
    ).resolve()
    / "run_actions"
)

FIRING = {
    "job": "demo-001",
    "launch": "",
    "run": "runs/demo-001",
    "rule": "MyGradients",
    "rule_class": "VanishingGradient",
    "time_ms": 1767323045678,
    "finding": {
        "id": 1,
        "step": 500,
        "last_step": 500,
        "count": 1,
        "mode": "TRAIN",
        "worker": "worker_0",
        "tensor": "gradient/fc.weight",
        "value": 1e-9,
        "threshold": 1e-7,
        "message": "The gradient of fc.weight vanishes: 1e-9 € < 1e-7.",
        "advice": "Try another activation",
        "severity": "problem",
    },
}


@dataclass
class Request:
    method: str
    path: str
    headers: dict
    body: bytes


@dataclass
class HttpPeer:
    """Answers with what `answers` says, one after the other, then with 200."""

    answers: list = field(default_factory=list)  # (code, headers)
    requests: list = field(default_factory=list)

    def __enter__(self):
        peer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                peer.requests.append(Request("POST", self.path, dict(self.headers.items()), body))
                code, headers = peer.answers.pop(0) if peer.answers else (200, {})
                self.send_response(code)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def environment(**settings: str) -> dict:
    """Ours, without what would send requests elsewhere, and with these settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and not name.startswith(("AWS_", "WARDEN_"))
    }
    return kept | settings


def write_request(folder: Path, actions: list, **request) -> Path:
    path = folder / "request.json"
    patient = {"actions": actions, "firings": [FIRING], "finish_ms": 250_000}
    path.write_text(json.dumps(patient | request))
    return path


def run_actions(folder: Path, actions: list, settings: dict | None = None, **request) -> list[dict]:
    """The lines that it prints: outcomes, then what was left."""
    done = subprocess.run(
        [PROGRAM, write_request(folder, actions, **request)],
        env=environment(**(settings or {})),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def states(lines: list[dict]) -> list[str]:
    return [line["state"] for line in lines[:-1]]
