"""The list of runs: found, searched, sorted, opened by mouse and by keyboard."""

import json
import os
import re
import shutil

import pytest
from browsing import DESK, ask, run_named, until_listed
from playwright.sync_api import expect
from serving import Service


def test_all_runs_are_there_with_what_is_wrong_in_them(recorded, open_page):
    page = open_page(recorded).page
    runs = ask(recorded, "runs")["runs"]
    expect(page.locator("a.runs-name")).to_have_count(len(runs))
    for run in runs:
        row = page.locator(f'tr[data-run="{run["id"]}"]')
        expect(row.locator("a.runs-name")).to_have_text(run["name"])
        expect(row.locator("td.runs-c-status")).to_have_text("Completed")
        expect(row.locator("td.runs-c-step")).to_have_text(str(run["last_step"]))
        findings = row.locator("td.runs-c-findings")
        if run["incident_counts"]["problem"]:
            expect(findings).to_contain_text(f"{run['incident_counts']['problem']} problem")
        elif not run["rules"]["total"]:
            expect(findings).to_have_text("no rules")
    assert any(run["incident_counts"]["problem"] for run in runs if run["name"] == "broken")


def test_search_and_order_are_in_the_address(recorded, open_page):
    watched = open_page(recorded)
    page = watched.page
    page.get_by_label("Search runs").fill("pt_")
    expect(page.locator("a.runs-name")).to_have_count(3)
    expect(page.get_by_text("3 of 7 runs")).to_be_visible()
    page.locator("th[data-column=name] button").click()
    by_name = ["pt_cnn_mixed", "pt_save_all", "pt_two_workers_all"]
    expect(page.locator("a.runs-name")).to_have_text(by_name)
    page.locator("th[data-column=name] button").click()
    watched.wait_for_address("search=pt_", "sort=-name")
    page.reload()
    expect(page.locator("a.runs-name")).to_have_text(by_name[::-1])
    page.get_by_label("Search runs").fill("no such run")
    page.get_by_role("button", name="Show all runs").click()
    expect(page.locator("a.runs-name")).to_have_count(7)
    page.get_by_role("button", name="With findings").click()
    expect(page.locator("a.runs-name")).to_have_count(2)
    page.get_by_role("button", name="With findings").click()
    page.get_by_label("Search runs").fill("epochs>2")
    expect(page.locator("a.runs-name")).to_have_text(["images"])


def test_columns_are_chosen(recorded, open_page):
    watched = open_page(recorded)
    page = watched.page
    page.locator("summary", has_text="Columns").click()
    page.get_by_label("Duration", exact=True).click()
    expect(page.get_by_role("columnheader", name="Duration")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("columnheader", name="Last step")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Duration")).to_have_count(0)


def test_several_are_selected_and_compared(recorded, open_page):
    watched = open_page(recorded)
    page = watched.page
    page.get_by_label("Select images").check()
    expect(page.get_by_role("button", name="Select another to compare")).to_be_disabled()
    page.get_by_label("Select broken").check()
    page.get_by_role("button", name="Compare 2 runs").click()
    watched.wait_for_address("#/compare", run_named(recorded, "images"))
    expect(page.get_by_role("list", name="Compared runs").get_by_role("listitem")).to_have_count(2)


def test_by_keyboard_alone(recorded, open_page):
    watched = open_page(recorded, "#/runs?sort=name")
    page, keyboard = watched.page, watched.page.keyboard
    page.locator("a.runs-name").first.wait_for()
    keyboard.press("/")
    keyboard.type("pt_")
    expect(page.locator("a.runs-name")).to_have_count(3)
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    focused = page.locator("a:focus")
    expect(focused).to_have_text("pt_save_all")
    keyboard.press("Shift+Tab")
    expect(page.locator("input:focus")).to_have_accessible_name("Select pt_save_all")
    keyboard.press("Space")
    expect(page.get_by_label("Select pt_save_all")).to_be_checked()
    keyboard.press("Tab")
    keyboard.press("Enter")
    watched.wait_for_address("/overview")
    expect(page.get_by_role("heading", level=1)).to_have_text("pt_save_all")
    # The first stop leads past the bar, the way of those who hear the page.
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to content")
    keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.go_back()
    expect(page.locator("a.runs-name")).to_have_count(3)
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("pt_save_all")


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("empty")
    (folder / "runs").mkdir()
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield service
    service.stop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_empty_folder_says_how_to_begin(empty, open_page, scheme):
    watched = open_page(empty, **DESK, color_scheme=scheme)
    page = watched.page
    expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    commands = page.locator("pre").all_inner_texts()
    assert any("warden run --out" in line and "train.py" in line for line in commands), commands
    assert watched.check_accessibility() == []


def test_addresses_of_nothing_say_so(empty, open_page):
    watched = open_page(empty)
    watched.forgives = lambda url: "no-such-run" in url
    watched.go("#/run/no-such-run/overview")
    expect(watched.page.get_by_role("heading", name="Run not found")).to_be_visible()
    watched.page.get_by_role("link", name="Show all runs").click()
    expect(watched.page.get_by_role("heading", name="No runs yet")).to_be_visible()


def test_without_runs_there_is_nothing_to_compare(empty, open_page):
    page = open_page(empty, "#/compare").page
    expect(page.get_by_text("There are no runs yet.")).to_be_visible()
    cards = page.locator("main .card:visible")
    expect(cards).to_have_count(0)


@pytest.fixture
def many(tmp_path):
    """A service that has not yet read its 60 runs, each of which takes some time."""
    finding = {"mode": "TRAIN", "worker": "worker_0", "value": 0, "threshold": 1, "count": 1}
    finding |= {"message": "the gradient vanishes", "advice": "", "tensor": "gradient/a"}
    findings = [finding | {"id": i, "step": i, "last_step": i} for i in range(3000)]
    rule = {"name": "Vanish", "rule": "VanishingGradient", "status": "IssuesFound"}
    files = {
        "rule-output/Vanish/status.json": rule | {"findings": findings},
        "warden/run.json": {"command": ["a"], "started": 1e9, "ended": 1e9 + 60, "exit_code": 0},
        "index/000000000/000000000003_worker_0.json": {},
    }
    for path, content in files.items():
        file = tmp_path / "one" / path
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(content))
    for number in range(60):
        shutil.copytree(tmp_path / "one", tmp_path / f"runs/{number:03}", copy_function=os.link)
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield service
    service.stop()


def test_many_runs_are_listed_before_they_are_read(many, open_page):
    page = open_page(many, "#/runs?search=030").page
    row = page.locator("tr[data-run]", has=page.get_by_role("link", name="030"))
    expect(row.locator("td.runs-c-status")).to_have_text("Reading …")
    expect(row.locator("td.runs-c-findings")).to_have_text("")
    expect(row.get_by_role("button", name="Edit")).to_have_count(0)
    expect(row.locator("td.runs-c-status")).to_have_text("Completed")
    expect(row.locator("td.runs-c-findings")).to_have_text("1 problem")
    expect(row.get_by_role("button", name="Edit")).to_have_count(1)
    expect(page.get_by_text("Reading …")).to_have_count(0)


@pytest.fixture
def long(tmp_path):
    """A service with 230 runs, each of which began a second after the one before."""
    for number in range(230):
        file = tmp_path / f"runs/{number:03}/warden/run.json"
        file.parent.mkdir(parents=True)
        began = 1e9 + number
        record = {"command": ["a"], "started": began, "ended": began + 60, "exit_code": 0}
        file.write_text(json.dumps(record))
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    # It knows when runs began once it has listed them.
    yield until_listed(service)
    service.stop()


def test_a_long_list_begins_with_its_newest_runs(long, open_page):
    watched = open_page(long)
    page = watched.page
    page.goto("about:blank")  # What the page that signed in still asks for is not counted.
    held, asked, sessions = [], [], []
    page.route(re.compile(r"/-/api/runs$"), lambda route: held.append(route))
    page.route(re.compile(r"/-/api/session$"), lambda route: sessions.append(route))
    page.on("request", lambda request: asked.append(request.url.partition("/-/api/")[2]))
    page.goto(f"{long.endpoint}/-/")
    # Rows wait neither for the session nor for live events, which search all folders.
    expect(page.locator("a.runs-name").first).to_have_text("229")
    expect(page.get_by_role("button", name="Edit 229")).to_have_count(0)
    watched.wait_until(lambda: bool(sessions))
    sessions[0].continue_()
    expect(page.get_by_role("button", name="Edit 229")).to_have_count(1)
    page.wait_for_function("() => document.querySelector('.shell-live')?.dataset.state === 'live'")
    first, *others = (one for one in asked if one not in ("", "session"))
    assert (first, sorted(others)) == ("runs?first=200", ["live", "runs"])
    expect(page.get_by_text("The newest 200 runs; loading all …")).to_be_visible()
    expect(page.get_by_label("Select all shown runs")).to_be_disabled()
    # One of the others is not said to be missing.
    page.get_by_label("Search runs").fill("name~^005$")
    expect(page.get_by_text("Loading all runs …").first).to_be_visible()
    expect(page.locator("a.runs-name")).to_have_count(0)
    for route in held:
        route.continue_()
    page.unroute_all()
    expect(page.locator("a.runs-name")).to_have_text(["005"])
    expect(page.get_by_text("1 of 230 runs")).to_be_visible()
    page.get_by_label("Search runs").fill("")
    expect(page.get_by_text("230 runs", exact=True)).to_be_visible()
    expect(page.locator("a.runs-name").first).to_have_text("229")
    expect(page.get_by_label("Select all shown runs")).to_be_enabled()
