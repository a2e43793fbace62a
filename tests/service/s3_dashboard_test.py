"""`warden serve --runs s3://...`: the dashboard shows runs in a bucket, also while they grow, and
keeps working while the server is down."""

import json
import os
import shutil
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from serving import PATIENCE, PYTHON, ROOT, SCRIPTS, WARDEN, Service

from support.buckets import Buckets

PLACE = "s3://runs/team"
RECORDED = ROOT / "tests/golden/pt_save_all/trial"


def ask(service, path, body=None):
    """Status and content of an answer; a body makes it a POST."""
    request = urllib.request.Request(
        f"{service.endpoint}/-/api/{path}",
        None if body is None else json.dumps(body).encode(),
        {"Authorization": f"Bearer {service.token()}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            content = answer.read()
            is_json = answer.headers["Content-Type"].startswith("application/json")
            return answer.status, json.loads(content) if is_json else content
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


class Shown:
    """A server with a finished run, and a service that shows what is below its folder."""

    def __init__(self, folder):
        self.folder = folder
        self.server = Buckets(folder / "server").start()
        self.server.create("runs")
        self.variables = self.server.environment(
            HOME=str(folder),
            WARDEN_S3_SPOOL=str(folder / "spool"),
            PATH=f"{WARDEN.parent}:{os.environ['PATH']}",
        )
        rules = ["--rules", "VanishingGradient", "--fail-on", "never"]
        script = [str(PYTHON), str(SCRIPTS / "vanishing.py"), "--steps", "60"]
        subprocess.run(
            [WARDEN, "run", "--out", f"{PLACE}/first", *rules, "--", *script],
            env=self.variables,
            check=True,
            timeout=PATIENCE,
        )
        places = ["--runs", PLACE, "--runs", "s3://nobodys"]
        self.service = Service(folder, *places, variables=self.variables).start()

    def close(self):
        assert self.service.stop() == 0
        self.server.kill()

    def ask(self, path, body=None):
        return ask(self.service, path, body)

    def run(self, name):
        runs = {run["name"]: run for run in self.ask("runs")[1]["runs"]}
        return runs.get(name, {})

    def problems(self, place=PLACE):
        return [text for text in self.ask("runs")[1]["problems"] if text.startswith(place + ":")]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    shown = Shown(tmp_path_factory.mktemp("s3-dashboard"))
    yield shown
    shown.close()


def columns(answer, name):
    """The numbers of a column of an answer."""
    assert answer[:4] == b"WCOL", answer
    length = struct.unpack("<I", answer[4:8])[0]
    begin = 8 + length
    for column in json.loads(answer[8:begin])["columns"]:
        kind, size = {"f64": ("d", 8), "f32": ("f", 4), "u32": ("I", 4), "u8": ("B", 1)}[
            column["type"]
        ]
        end = begin + size * column["length"]
        if column["name"] == name:
            return list(struct.unpack(f"<{column['length']}{kind}", answer[begin:end]))
        begin = end + -end % 8
    return []


def wait_for(value_of):
    """What it returns, once that is true."""
    deadline = time.monotonic() + PATIENCE
    while not (value := value_of()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return value


def test_a_run_in_a_bucket_is_shown_with_all_that_it_has(shown):
    run = wait_for(lambda: shown.run("first").get("status") == "Completed" and shown.run("first"))
    assert run["folder"] == f"{PLACE}/first"
    path = f"runs/{run['id']}"
    wait_for(lambda: shown.ask(path)[1]["progress"]["steps"] > 5)
    detail = shown.ask(path)[1]
    assert detail["outputs"]["tensors"] == f"{PLACE}/first"
    assert "vanishing.py" in detail["command"]
    assert [rule["name"] for rule in detail["rules_seen"]] == ["VanishingGradient"]
    assert detail["rules_seen"][0]["findings"] and detail["incidents"]
    lines = shown.ask(f"{path}/logs")[1]["lines"]
    assert any("loss" in line["text"] for line in lines), lines
    tensors = wait_for(lambda: shown.ask(f"{path}/tensors")[1]["tensors"])
    name = next(tensor["name"] for tensor in tensors if tensor["name"].startswith("gradient/"))
    series = f"{path}/series?tensor={name}&statistic=l2"
    wait_for(lambda: columns(shown.ask(series)[1], "low0")[-1:] > [0])
    # Values are read where they are.
    assert not list(shown.service.data.glob("runs-in-s3/**/events/*"))
    # The table of the list does not wait for numbers that it does not get.
    wait_for(lambda: shown.ask("runs-table")[1]["pending"] == 0)


def test_a_run_is_not_changed_from_here(shown):
    run = wait_for(lambda: shown.run("first"))["id"]
    for what, body in {"marks": {"note": "mine"}, "delete": {}}.items():
        status, answer = shown.ask(f"runs/{run}/{what}", body)
        assert status == 409 and f"{PLACE}/first is in S3" in answer["message"], answer


def test_a_bucket_that_is_not_there_is_a_problem_and_no_more(shown):
    problem = wait_for(lambda: shown.problems("s3://nobodys"))
    assert "NoSuchBucket" in problem[0]
    assert not shown.problems()


def test_a_run_is_seen_to_grow_over_an_outage(shown):
    local = shown.folder / "grows"
    later = [*sorted(RECORDED.rglob("index/*/*.json"))[2:], RECORDED / "training_job_end.ts"]
    shutil.copytree(RECORDED, local / "debug-output")
    for path in later:
        (local / "debug-output" / path.relative_to(RECORDED)).unlink()

    def send():
        upload = [WARDEN, "upload", local, f"{PLACE}/grows"]
        subprocess.run(upload, env=shown.variables, check=True, timeout=PATIENCE)

    send()
    run = f"runs/{wait_for(lambda: shown.run('grows'))['id']}"

    def steps():
        return shown.ask(run)[1]["progress"]["steps"]

    wait_for(lambda: steps() == 2)
    tensor = wait_for(lambda: shown.ask(f"{run}/tensors")[1]["tensors"])[0]["name"]
    assert columns(shown.ask(f"{run}/value?tensor={tensor}&step=0")[1], "values")
    shown.server.kill()
    assert "s3://runs/" in wait_for(shown.problems)[0]
    assert shown.run("first")["status"] == "Completed"
    assert steps() == 2
    shown.server.start()
    for path in later:
        shutil.copy(path, local / "debug-output" / path.relative_to(RECORDED))
    send()
    wait_for(lambda: steps() == len(later) + 1)
    wait_for(lambda: shown.ask(run)[1]["status"] == "Completed")
    wait_for(lambda: not shown.problems())


def test_nothing_is_left_on_the_disk(shown):
    kept = shown.service.data / "runs-in-s3"
    assert list(kept.rglob("index"))
    shown.service.stop()
    assert not list(kept.rglob("index"))
    shown.service.start()
    wait_for(lambda: shown.run("first").get("status") == "Completed")


class HostileServer(BaseHTTPRequestHandler):
    """Lists folders that lead elsewhere, each of which looks like a run."""

    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query)
        prefix = asked.get("prefix", [""])[0]
        if "list-type" not in asked:
            body = "{}"
        elif prefix == "team/":
            names = ("team/good/", "team/../../../escaped/", "/escaped/", "team//escaped/", "t")
            body = "".join(
                f"<CommonPrefixes><Prefix>{name}</Prefix></CommonPrefixes>" for name in names
            )
        else:
            below = prefix if prefix.endswith("index/") else f"{prefix}index/"
            body = "".join(
                f"<Contents><Key>{below}{name}/0_worker_0.json</Key><Size>2</Size></Contents>"
                for name in ("000000000", "../../escaped")
            )
            body += f"<CommonPrefixes><Prefix>{below}</Prefix></CommonPrefixes>"
        if "list-type" in asked:
            body = f"<ListBucketResult>{body}</ListBucketResult>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def test_names_in_a_bucket_lead_nowhere_else(tmp_path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), HostileServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    variables = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_REGION": "eu-central-1",
    }
    service = Service(tmp_path, "--runs", PLACE, variables=variables).start()
    try:
        copied = service.data / "runs-in-s3"
        wait_for(lambda: ask(service, "runs")[1]["runs"] and list(copied.rglob("0_worker_0.json")))
        assert [path.parent.parent.parent.name for path in copied.rglob("0_worker_0.json")] == [
            "good"
        ]
        assert not list(tmp_path.rglob("*escaped*"))
    finally:
        assert service.stop() == 0
        server.shutdown()
