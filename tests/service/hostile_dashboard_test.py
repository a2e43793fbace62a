"""The dashboard's addresses asked for everything that nobody should ask, of runs that nobody wrote.

Each request is answered as documented, no file outside the runs is ever told, and the service goes
on and ends when it is asked to.
"""

import http.client
import json
import os
import random
import shutil
import socket
import struct
import threading
import time
import urllib.parse
from pathlib import Path

import pytest
from serving import PATIENCE, ROOT, Service

REQUESTS = int(os.environ.get("WARDEN_REQUESTS", "4000"))
THREADS = 4
GOLDEN = ROOT / "tests" / "golden"
PROFILE = ROOT / "python" / "tests" / "profiler" / "data" / "run"

# What can be asked of a run, with the parameters that it knows.
ENDPOINTS = {
    "": [],
    "tensors": [],
    "steps": ["mode"],
    "series": ["tensor", "statistic", "mode", "worker", "from", "to", "points"],
    "heatmap": ["collection", "match", "statistic", "mode", "worker", "from", "to", "columns"],
    "distributions": ["tensor", "mode", "worker", "from", "to", "rows", "bins"],
    "value": ["tensor", "step", "mode", "worker", "slice"],
    "activation_map": ["activation", "gradient", "step", "mode", "worker", "image"],
    "metrics": [],
    "metrics/summary": ["from", "to"],
    "metrics/series": ["node", "key", "from", "to", "points"],
    "metrics/heatmap": ["node", "from", "to", "columns"],
    "metrics/marks": ["from", "to"],
    "profile": [],
    "timeline": [],
    "timeline/slices": ["from", "to", "width", "tracks"],
    "timeline/event": ["id"],
    "timeline/arrows": ["from", "to", "limit"],
    "timeline/search": ["q", "limit"],
    "timeline/statistics": ["from", "to", "tracks", "limit"],
    "timeline/trace.json.gz": [],
    "reports": [],
    "reports/Evil/profiler-report.html": ["download"],
    "reports/Evil/profiler-reports/secret.json": ["download"],
    "reports/..%2f..%2f..%2fetc%2fpasswd": [],
    "reports/Evil/../../../../../../etc/passwd": [],
    "reports/Evil/%2e%2e/%2e%2e/index": [],
    "reports/%00": [],
    "facts": [],
    "logs": ["host", "after", "before", "at", "q", "level"],
}
# Good and bad values of each parameter; any of them is also tried with the others'.
USUAL = {
    "tensor": ["Net_conv1.weight", "CrossEntropyLoss_output_0", "scalar/rank", "no such"],
    "activation": ["relu1_output_0", "conv1_input_0"],
    "gradient": ["gradient/Net_conv1.weight", "relu1_output_0"],
    "statistic": ["mean", "abs_max", "l2", "value", "nans", "std"],
    "mode": ["TRAIN", "EVAL", "PREDICT", "GLOBAL", "train"],
    "worker": ["worker_0", "worker_1", "../../etc"],
    "slice": ["0", ":", "...", "0,:", "::-1", "::0", "9" * 30, "1:2:3:4", "[", "[]", "," * 500],
    "match": ["conv", "(a+)+$", "(?=x)*", "[", "(" * 300, "a{99999}", "\\p{L}+", ".*" * 50],
    "collection": ["weights", "all", "none of them"],
    "node": ["algo-1", "algo-2", "nobody"],
    "key": ["cpu", "gpu", "network", "io_wait", "nonsense"],
    "tracks": ["0", "0,1,2", ",", "0," * 2000, "4294967296", "-1"],
    "q": ["step", "", "é", "%", "\\", "a" * 3000],
    "host": ["algo-1", "../../../etc"],
    "level": ["warning", "error", "none of them"],
    "download": ["0", "1"],
}
NUMBERS = [
    "0", "1", "-1", "2", "7", "60", "1000", "4000", "4001", "1e3", "1e308", "1e309", "-1e308",
    "NaN", "inf", "0x10", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "18446744073709551616", "1767268800", "1767268979.5", "0.5", " 1", "1 ", "+1", "--1", "1;2",
]  # fmt: skip
ODD = ["", "\x00", "a\x00b", "é 😀", "\r\nSet-Cookie: a=b", "'\"<script>", "x" * 5000, "%", "\\"]


def flip(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 4)):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    if chance.random() < 0.3:
        del data[chance.randrange(len(data) + 1) :]
    path.write_bytes(data)


def damage(run: Path, chance: random.Random) -> None:
    """Makes a run of one that was whole: as a broken disk leaves it, or somebody with ill will."""
    for path in sorted(run.rglob("*")):
        if path.is_file() and chance.random() < 0.5:
            flip(path, chance)
    steps = run / "index" / "000000000"
    (steps / "999999999999_worker_0.json").write_text('{"meta": {"mode": "TRAIN"}}')
    (steps / "000000000001_worker_x.json").symlink_to("/etc/passwd")
    shapes = [[2**62, 2**62], [-1, 5], [0] * 1000, [2**63 - 1]]
    for number, shape in enumerate(shapes):
        (steps / f"00000000010{number}_worker_0.json").write_text(
            json.dumps(
                {
                    "meta": {
                        "mode": "TRAIN",
                        "mode_step": 2**62 + number,
                        "event_file_name": "../../../../../../etc/passwd",
                    },
                    "tensor_payload": [
                        {"tensorname": "x" * 5000, "start_idx": 2**62, "length": 2**62}
                    ],
                    "shape_payload": [{"tensorname": "s", "originalname": "s", "shape": shape}],
                }
            )
        )
    evil = run / "rule-output" / "Evil"
    (evil / "profiler-reports").mkdir(parents=True)
    (evil / "profiler-report.html").write_text("<p>fine</p>")
    (evil / "profiler-reports" / "secret.json").symlink_to("/etc/passwd")
    (run / "rule-output" / "Link").symlink_to("/etc")
    os.mkfifo(evil / "status.json")
    (run / "rule-output" / "Deep").mkdir()
    (run / "rule-output" / "Deep" / "status.json").write_text('{"findings": ' + "[" * 100_000)
    (run / "rule-output" / os.fsdecode(b"\xff\xfe")).mkdir()
    (run / "rule-output" / os.fsdecode(b"\xff\xfe") / "status.json").write_text('{"name": "n"}')
    profile = run / "profiler-output"
    (profile / "system/incremental/2026010112/1767269040.algo-1.json").symlink_to("/etc/passwd")
    (profile / "framework/rank0.pt.trace.json").symlink_to("/etc/passwd")
    os.mkfifo(profile / "system/incremental/2026010112/1767269100.algo-1.json")
    os.mkfifo(profile / "framework/rank1.pt.trace.json")
    # A file of holes that is larger than any disk.
    with (run / "profiler-output/system/incremental/2026010112/1767268980.algo-1.json").open(
        "wb"
    ) as holes:
        holes.truncate(1 << 40)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dashboard")
    runs = folder / "runs"
    for name in ("pt_two_workers_all", "pt_cnn_mixed", "pt_dtypes", "pt_reductions_all"):
        shutil.copytree(GOLDEN / name / "trial", runs / name)
    shutil.copytree(GOLDEN / "pt_cnn_mixed" / "trial", runs / "damaged")
    # A profile of somebody else.
    shutil.copytree(PROFILE, folder / "elsewhere")
    (runs / "pt_dtypes" / "profiler-output").symlink_to(folder / "elsewhere")
    for name in ("pt_cnn_mixed", "damaged"):
        (runs / name / "profiler-output").mkdir()
        for part in ("system", "framework"):
            if (PROFILE / part).is_dir():
                shutil.copytree(PROFILE / part, runs / name / "profiler-output" / part)
        (runs / name / "profiler-output/system/incremental/2026010112").mkdir(
            parents=True, exist_ok=True
        )
    damage(runs / "damaged", random.Random(11))
    started = Service(folder, "--runs", str(runs)).start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


def connect(service: Service) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(service.endpoint.removeprefix("http://"), timeout=PATIENCE)


def ask(service, path, method="GET", body=None, headers=None, connection=None):
    own = connection or connect(service)
    if headers is None:
        headers = {"Authorization": f"Bearer {service.token()}"}
    own.request(method, "/-/api/" + path, body, headers)
    answer = own.getresponse()
    data = answer.read()
    if connection is None:
        own.close()
    return answer, data


def ids_of(service: Service) -> list:
    answer, data = ask(service, "runs")
    assert answer.status == 200
    return [run["id"] for run in json.loads(data)["runs"]]


def check_columns(data: bytes) -> None:
    """That it is as the reference says."""
    assert data[:4] == b"WCOL"
    (length,) = struct.unpack("<I", data[4:8])
    assert (length + 8) % 8 == 0
    at = 8 + length
    for column in json.loads(data[8:at])["columns"]:
        size = {"f64": 8, "f32": 4, "u32": 4, "u8": 1}[column["type"]] * column["length"]
        at += (size + 7) // 8 * 8
    assert at == len(data)


def made_up(chance: random.Random, ids: list) -> tuple:
    run = chance.choice([*ids, "..%2f..%2fetc", "none.00000000", "none", "%ff", "a" * 300, "."])
    what = chance.choice(sorted(ENDPOINTS))
    query = []
    for name in ENDPOINTS[what]:
        for _ in range(chance.choice([0, 1, 1, 1, 1, 2, 70 if name in ("tensor", "key") else 1])):
            kind = chance.random()
            values = USUAL.get(name, NUMBERS)
            if kind > 0.8:
                values = chance.choice([NUMBERS, ODD, chance.choice(sorted(USUAL.values()))])
            value = chance.choice(values)
            if kind > 0.98:
                query.append(f"{name}=%ff%fe%0")
            else:
                query.append(f"{name}={urllib.parse.quote(value)}")
    path = f"runs/{run}/{what}" if what else f"runs/{run}"
    if chance.random() < 0.05:
        other = [chance.choice([*ids, "none", ""]) for _ in range(2)]
        path, query = "compare", [f"a={other[0]}", f"b={other[1]}", *query]
    address = path + "?" + "&".join(query) if query else path
    method = "GET"
    if chance.random() < 0.05:
        method = chance.choice(["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
    return method, address[:30_000]


def send(service, seed, count, ids, answered, wrong):
    chance = random.Random(seed)
    connection = connect(service)
    for _ in range(count):
        method, address = made_up(chance, ids)
        try:
            answer, data = ask(service, address, method, connection=connection)
        except (OSError, http.client.HTTPException) as error:
            wrong.append((method, address[:500], repr(error)))
            connection = connect(service)
            continue
        answered.append(answer.status)
        fine = answer.status in (200, 400, 404, 405, 409, 413, 431) and b"root:x:" not in data
        kind = answer.getheader("Content-Type") or ""
        try:
            if method == "HEAD":
                fine = fine and data == b""
            elif answer.status != 200 and answer.status != 431:
                fine = fine and bool(json.loads(data)["message"])
            elif kind == "application/json":
                json.loads(data)
            elif kind == "application/x-warden-columns":
                check_columns(data)
        except (ValueError, KeyError, AssertionError) as error:
            wrong.append((method, address[:500], repr(error)))
        if not fine or answer.getheader("Set-Cookie"):
            wrong.append((method, address[:500], answer.status, data[:300]))
        if answer.status == 431:
            connection = connect(service)
    connection.close()


def test_every_address_answers_as_documented(service):
    ids = ids_of(service)
    assert len(ids) == 5
    answered, wrong = [], []
    threads = [
        threading.Thread(
            target=send, args=(service, seed, REQUESTS // THREADS, ids, answered, wrong)
        )
        for seed in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [], wrong[:5]
    assert len(answered) == REQUESTS // THREADS * THREADS
    assert {200, 400, 404, 405} <= set(answered)


def test_a_damaged_run_is_told_as_such(service):
    (damaged,) = (name for name in ids_of(service) if name.startswith("damaged."))
    answer, data = ask(service, f"runs/{damaged}/tensors")
    assert answer.status == 200
    assert json.loads(data)["problems"]
    assert b"root:x:" not in data
    answer, data = ask(service, f"runs/{damaged}")
    names = [rule["name"] for rule in json.loads(data)["rules_seen"]]
    assert names == ["n"], "pipes, links and nonsense are no records"
    answer, data = ask(service, f"runs/{damaged}/reports")
    (report,) = json.loads(data)
    assert [file["path"] for file in report["files"]] == ["profiler-report.html"]
    for file in ("profiler-reports/secret.json", "../Link/passwd", "status.json"):
        answer, data = ask(service, f"runs/{damaged}/reports/Evil/{file}")
        assert answer.status == 404, file


def test_a_profile_that_leads_out_of_its_run_is_not_shown(service):
    (linked,) = (name for name in ids_of(service) if name.startswith("pt_dtypes."))
    answer, data = ask(service, f"runs/{linked}")
    has = json.loads(data)["has"]
    assert (has["tensors"], has["metrics"], has["timeline"]) == (True, False, False)
    answer, data = ask(service, f"runs/{linked}/metrics")
    assert answer.status == 200
    assert json.loads(data)["nodes"] == []


def test_nobody_without_the_token_gets_anything(service):
    token = service.token()
    run = ids_of(service)[0]
    answer, data = ask(service, "session", "POST", json.dumps({"token": token}))
    assert answer.status == 200
    assert answer.getheader("Set-Cookie") is None, "other ports of the host would get it"
    key = json.loads(data)["session"]
    assert token not in key
    nobody = [
        {},
        {"Authorization": "Bearer " + "0" * 64},
        {"Authorization": "Bearer "},
        {"Authorization": f"Basic {token}"},
        {"Cookie": f"warden-session={key}"},
        {"X-Warden-Session": token},
        {"X-Warden-Session": ""},
        {"X-Warden-Session": key + "0"},
        {"X-Warden-Session": key[:-1]},
        {"X-Warden-Session": key.split(".")[0]},
        {"X-Warden-Session": key, "Authorization": "Bearer wrong"},
    ]
    paths = ["session", "runs", "rules", "live", f"live?run={run}", "compare?a=x&b=y", "nonsense"]
    paths += [f"runs/{run}/{what}".rstrip("/") for what in sorted(ENDPOINTS)]
    for headers in nobody:
        for path in paths:
            answer, data = ask(service, path, headers=headers)
            assert answer.status == 401, (path, headers, answer.status)
            assert set(json.loads(data)) == {"message"}
        for method in ("HEAD", "PUT", "DELETE", "POST", "PATCH"):
            answer, _ = ask(service, f"runs/{run}/stop", method, headers=headers)
            assert answer.status == 401, (method, headers, answer.status)
    session = {"X-Warden-Session": key}
    assert ask(service, "runs", headers=session)[0].status == 200
    path = f"/-/api/runs/{run}/steps"
    answer, data = ask(service, "session/ticket", "POST", json.dumps({"path": path}), session)
    ticket = json.loads(data)["ticket"]
    assert ask(service, f"runs/{run}/steps?ticket={ticket}", headers={})[0].status == 200
    for path in (f"runs/{run}/tensors?ticket={ticket}", f"runs/{run}/steps?ticket={ticket}0"):
        assert ask(service, path, headers={})[0].status == 401, path
    # Signed out, the key is worth nothing, to whoever has it.
    assert ask(service, "session", "DELETE", headers=session)[0].status == 204
    assert ask(service, "runs", headers=session)[0].status == 401
    assert ask(service, f"runs/{run}/steps?ticket={ticket}", headers={})[0].status == 401
    answer, _ = ask(service, "runs", headers={"Cookie": "a=" + "b" * 100_000})
    assert answer.status == 431


def test_guessing_tokens_is_slow(service):
    begun = time.monotonic()
    wrong = [
        ask(service, "session", "POST", json.dumps({"token": f"{number:064x}"}), {})[0].status
        for number in range(300)
    ]
    assert set(wrong) == {401, 429}
    # Ten at once, then one every two seconds.
    assert wrong.count(401) <= 11 + (time.monotonic() - begun) / 2


@pytest.mark.parametrize("path", ["", "app.js", "api/runs", "api/session"])
def test_a_name_that_leads_here_is_not_ours(service, path):
    connection = connect(service)
    for host, expected in (("evil.example", {421}), ("localhost", {200, 401})):
        connection.request("GET", f"/-/{path}", headers={"Host": host})
        answer = connection.getresponse()
        answer.read()
        assert answer.status in expected, (host, path)
    connection.close()


def test_bodies_of_every_kind(service):
    run = ids_of(service)[0]
    for what in (f"runs/{run}/stop", f"runs/{run}/profiling", f"runs/{run}/rules", "session"):
        for body in (
            b"", b"null", b"[]", b"{", b"\xff\xfe", b"[" * 50_000, b'{"token": 1e999}',
            b'{"token": {"a": []}}', b'{"rule": "\\ud800"}', b"x" * 70_000,
        ):  # fmt: skip
            answer, data = ask(service, what, "POST", body)
            assert answer.status in (400, 401, 404, 409, 413, 429), (what, body[:20], answer.status)
            assert json.loads(data)["message"]


def test_a_client_that_takes_nothing_is_left_behind(service):
    """Nobody else waits for it; the end of the service, which the fixture asks for, neither."""
    run = next(name for name in ids_of(service) if name.startswith("pt_cnn_mixed."))
    host, port = service.endpoint.removeprefix("http://").split(":")
    for address in (f"live?run={run}", f"runs/{run}/profile", "live"):
        for _ in range(5):
            raw = socket.create_connection((host, int(port)), timeout=PATIENCE)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.sendall(
                f"GET /-/api/{address} HTTP/1.1\r\nHost: a\r\n"
                f"Authorization: Bearer {service.token()}\r\n\r\n".encode()
            )
            # Kept open until the service has gone: nobody reads, nobody closes.
            service.__dict__.setdefault("unread", []).append(raw)
    answer, _ = ask(service, f"runs/{run}")
    assert answer.status == 200
