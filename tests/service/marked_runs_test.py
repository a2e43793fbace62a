"""Runs of a folder marked, listed with their numbers, deleted and brought back, over HTTP."""

import json
import shutil
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from serving import PATIENCE, ROOT, Service, wait_until

GOLDEN = ROOT / "tests" / "golden"
TORCH = GOLDEN / "pt_save_all" / "trial"
XGBOOST = GOLDEN / "xgb_binary" / "trial"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("marked")
    for name, recorded in {"one": TORCH, "two": XGBOOST, "three": TORCH}.items():
        shutil.copytree(recorded, folder / "runs" / name)
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield service
    assert service.stop() == 0


def ask(service, path, body=None, headers=None):
    """Status and JSON of an answer; a body makes it a POST."""
    data = None if body is None else json.dumps(body).encode()
    headers = headers or {"Authorization": f"Bearer {service.token()}"}
    request = urllib.request.Request(f"{service.endpoint}/-/api/{path}", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def runs_of(service):
    return {run["name"]: run for run in ask(service, "runs")[1]["runs"]}


def deeds(service):
    lines = (service.data / "audit.log").read_text().splitlines()
    return [(deed["action"], deed["outcome"]) for deed in map(json.loads, lines)]


def test_marks_survive_a_restart_and_go_into_the_audit_log(service):
    run = runs_of(service)["one"]["id"]
    status, marks = ask(service, f"runs/{run}/marks", {"tags": ["best"], "note": "größer\nbesser"})
    assert status == 200 and marks["tags"] == ["best"]
    assert ask(service, f"runs/{run}/marks", {"tags": "best"})[0] == 400
    assert deeds(service)[-2:] == [("dashboard:MarkRun", "ok"), ("dashboard:MarkRun", "Invalid")]
    service.stop()
    service.start()
    assert runs_of(service)["one"]["marks"]["note"] == "größer\nbesser"


def test_of_many_changes_at_once_none_is_lost(service):
    run = runs_of(service)["two"]["id"]
    changes = [{"note": "n"}, {"tags": ["t"]}, {"archived": True}, {"baseline": True}]
    with ThreadPoolExecutor(4) as threads:
        answers = threads.map(lambda body: ask(service, f"runs/{run}/marks", body)[0], changes)
        assert list(answers) == [200] * 4
    expected = {"display_name": "", "tags": ["t"], "note": "n", "archived": True, "baseline": True}
    assert runs_of(service)["two"]["marks"] == expected


def test_nobody_changes_runs_without_a_key_or_from_another_site(service):
    run = runs_of(service)["one"]["id"]
    for path in (f"runs/{run}/marks", f"runs/{run}/delete", f"trash/{run}/restore"):
        assert ask(service, path, {}, {"Content-Type": "text/plain"})[0] == 401
        wrong = {"Cookie": f"session={service.token()}", "Origin": "http://evil.example"}
        assert ask(service, path, {}, wrong)[0] == 401


def test_deleting_can_be_undone(service):
    run = runs_of(service)["three"]["id"]
    files = sorted(path.name for path in (service.folder / "runs" / "three").rglob("*"))
    status, deleted = ask(service, f"runs/{run}/delete", {})
    assert status == 200 and deleted["id"] == run
    assert "three" not in runs_of(service)
    assert ask(service, f"runs/{run}")[0] == 404
    assert [one["id"] for one in ask(service, "trash")[1]] == [run]
    # Something else in its place is not overwritten.
    shutil.copytree(TORCH, service.folder / "runs" / "three")
    status, answer = ask(service, f"trash/{run}/restore", {})
    assert status == 409 and "exists" in answer["message"]
    shutil.rmtree(service.folder / "runs" / "three")
    assert ask(service, f"trash/{run}/restore", {})[0] == 200
    assert "three" in runs_of(service)
    assert sorted(p.name for p in (service.folder / "runs" / "three").rglob("*")) == files
    assert ("dashboard:DeleteRun", "ok") in deeds(service)


def test_what_was_deleted_long_ago_is_removed(service, tmp_path):
    runs = service.folder / "runs"
    week = 7 * 24 * 3600 * 1000
    old = runs / ".warden-trash" / str(int(time.time() * 1000) - week - 60_000) / "old"
    new = runs / ".warden-trash" / str(int(time.time() * 1000) - week + 600_000) / "new"
    for folder in (old, new):
        shutil.copytree(TORCH, folder)
    service.stop()
    service.start()
    wait_until(lambda: not old.exists())
    assert new.exists()
    assert "new" in [run["name"] for run in ask(service, "trash")[1]]


def test_the_table_has_the_numbers_of_all_runs(service):
    wait_until(lambda: not ask(service, "runs-table")[1]["pending"])
    table = ask(service, "runs-table")[1]
    runs = runs_of(service)
    assert set(table["runs"]) == {run["id"] for run in runs.values()}
    scalars = table["runs"][runs["one"]["id"]]["scalars"]
    assert scalars, "the recorded run has losses"
    for last, smallest, largest, last_step, min_step, max_step in scalars.values():
        assert smallest <= last <= largest
        assert max(min_step, max_step) <= last_step
    # XGBoost's hook saves the parameters of the booster.
    facts = ask(service, f"runs/{runs['two']['id']}/facts")[1]
    assert facts == {
        "hyper_parameters": table["runs"][runs["two"]["id"]]["hyper_parameters"],
    }
    assert facts["hyper_parameters"]["objective"] == "binary:logistic"
