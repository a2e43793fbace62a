"""What changes while a page opens is not lost."""

import json
import shutil

import pytest
from browsing import Watched, panel_of
from playwright.sync_api import Route, expect
from serving import ROOT, Service

FINDING = {
    "id": 1,
    "step": 3,
    "last_step": 3,
    "count": 1,
    "mode": "TRAIN",
    "worker": "worker_0",
    "tensor": "loss",
    "value": 1,
    "threshold": 2,
    "message": "it vanishes",
    "advice": "look at it",
}


@pytest.fixture
def service(tmp_path):
    """One run, in which nothing was found yet."""
    shutil.copytree(ROOT / "tests/golden/pt_cnn_mixed/trial", tmp_path / "runs/one")
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield service
    service.stop()


@pytest.fixture
def opening(browser, service):
    """A page that nobody has logged in to, and in which nothing goes wrong."""
    watched = Watched(browser, service)
    yield watched
    assert watched.close() == []


def find_something(service) -> None:
    folder = service.folder / "runs/one/rule-output/Vanish"
    folder.mkdir(parents=True)
    status = {"name": "Vanish", "rule": "VanishingGradient", "status": "IssuesFound"}
    (folder / "new.json").write_text(json.dumps({**status, "findings": [FINDING]}))
    (folder / "new.json").rename(folder / "status.json")


def hold_first(watched: Watched, address: str) -> list[Route]:
    """The first request to it, which waits until it is continued."""
    held: list[Route] = []

    def asked(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    watched.page.route(address, asked)
    return held


def test_events_that_come_late(opening, service):
    events = hold_first(opening, "**/api/live?**")
    opening.log_in(panel_of(service, "one", "overview"))
    findings = opening.page.get_by_role("region", name="Verdict")
    expect(findings).to_contain_text("No rule")
    find_something(service)
    opening.wait_until(lambda: bool(events))
    events[0].continue_()
    expect(findings).to_contain_text("it vanishes")


def test_an_answer_that_comes_late(opening, service):
    to = panel_of(service, "one", "overview")
    held = hold_first(opening, f"**/api/runs/{to.split('/')[2]}")
    opening.log_in(to)
    opening.wait_until(lambda: bool(held))
    old = held[0].fetch()
    find_something(service)
    opening.page.wait_for_timeout(2000)  # Events have told by now.
    held[0].fulfill(response=old)
    expect(opening.page.get_by_role("region", name="Verdict")).to_contain_text("it vanishes")


def test_a_list_whose_events_come_late(opening, service):
    events = hold_first(opening, "**/api/live")
    opening.log_in("#/runs")
    row = opening.page.locator("tr[data-run]", has_text="one")
    expect(row.locator("td.runs-c-findings")).to_have_text("no rules")
    find_something(service)
    opening.wait_until(lambda: bool(events))
    events[0].continue_()
    expect(row.locator("td.runs-c-findings")).to_contain_text("1 problem")
