"""Two runs beside each other, tensor by tensor."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from browsing import add_to_comparison, ask, panel_of, run_named, until_listed
from playwright.sync_api import Route, expect
from serving import PATIENCE, WARDEN, Service, wait_until

from tensorwarden.files.file_writer import FileWriter

MANY = 28  # More than there are letters.
STEPS = 6
SPOILT, FIRST_NAN = 1, 3


def test_two_runs_tensor_by_tensor(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "compare"))
    page = watched.page
    expect(page.get_by_role("heading", name="Choose two or more runs to compare")).to_be_visible()
    other = run_named(recorded, "broken")
    add_to_comparison(page, "broken (completed)")
    watched.wait_for_address(f"b={other}")
    images = run_named(recorded, "images")
    answer = read_whole(recorded, f"compare?a={images}&b={other}")
    table = page.get_by_role("table", name="Differences by tensor")
    differing = [one for one in answer["tensors"] if one["steps"] and one["difference"] != 0]
    expect(table).to_have_attribute("aria-rowcount", str(len(differing) + 1))
    page.get_by_label("Find tensors").fill("learning_rate")
    row = table.locator('[data-tensor="scalar/learning_rate"]')
    told = next(one for one in differing if one["tensor"] == "scalar/learning_rate")
    watched.wait_until_reads(row.get_by_role("cell").nth(1), told["a"])
    assert told["a"] < 0.01 < told["b"]
    expect(row.get_by_role("cell").nth(4)).to_have_text(str(int(told["first_step"])))
    watched.wait_until_drawn(row.locator("canvas"))
    row.get_by_role("button").click()
    watched.wait_for_address("tensor=scalar%2Flearning_rate", "search=learning_rate")
    watched.wait_until_drawn(watched.figure("scalar/learning_rate").locator("canvas"))
    page.reload()
    expect(watched.figure("scalar/learning_rate")).to_be_visible()
    expect(page.get_by_label("Find tensors")).to_have_value("learning_rate")
    facts = page.get_by_role("row", name="Findings")
    findings = ask(recorded, f"runs/{other}")["findings"]
    expect(facts.first).to_contain_text(str(findings))


def test_runs_are_added_and_taken_away(recorded, open_page):
    ids = [run_named(recorded, name) for name in ("pt_save_all", "pt_cnn_mixed", "xgb_binary")]
    watched = open_page(recorded, "#/compare?" + "&".join(f"{'abc'[i]}={ids[i]}" for i in range(3)))
    page = watched.page
    runs = page.get_by_role("list", name="Compared runs").get_by_role("listitem")
    expect(runs).to_have_count(3)
    page.get_by_label("Compare A with").select_option("2")
    watched.wait_for_address("against=2")
    page.get_by_role("button", name="Remove pt_cnn_mixed").click()
    expect(runs).to_have_count(2)
    page.go_back()
    expect(runs).to_have_count(3)
    page.go_forward()
    expect(runs).to_have_count(2)
    page.go_back()
    expect(runs).to_have_count(3)
    runs.nth(1).get_by_role("link", name="pt_cnn_mixed").click()
    watched.wait_for_address("/overview")


def test_the_way_back_leads_to_the_selected_runs(recorded, open_page):
    watched = open_page(recorded, "#/runs?search=pt_")
    page = watched.page
    names = ["pt_two_workers_all", "pt_save_all"]
    for name in names:
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Compare 2 runs").click()
    runs = page.get_by_role("list", name="Compared runs").get_by_role("listitem")
    expect(runs).to_have_count(2)
    page.go_back()
    for name in names:
        expect(page.get_by_role("checkbox", name=name)).to_be_checked()
    expect(page.get_by_role("button", name="Compare 2 runs")).to_be_visible()
    page.get_by_role("checkbox", name=names[0]).uncheck()
    watched.wait_for_address("selected=pt_save_all", "!selected=pt_two")


@pytest.fixture
def fresh(recorded, tmp_path):
    """A service that has read nothing of the same runs yet."""
    service = Service(tmp_path, "--runs", str(recorded.folder / "runs")).start()
    yield service
    service.stop()


# What the page says about the comparison from now on.
RECORD_NOTES = """
() => {
  window.notes = [];
  new MutationObserver(() => {
    for (const note of document.querySelectorAll('p[role=status]')) {
      const words = note.textContent;
      if (words.includes('tensors differ') && !window.notes.includes(words))
        window.notes.push(words);
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}
"""


def read_whole(service, path: str) -> dict:
    def is_whole() -> bool:
        return all(read["done"] for read in ask(service, path)["ingested"].values())

    wait_until(is_whole)
    return ask(service, path)


def test_a_comparison_right_after_the_start_is_complete_or_says_so(recorded, fresh, open_page):
    first, second = (run_named(fresh, name) for name in ("images", "broken"))
    complete = read_whole(recorded, f"compare?a={first}&b={second}")
    # A page that makes the server read nothing of these runs.
    watched = open_page(fresh, panel_of(fresh, "xgb_binary", "logs"))
    watched.page.evaluate(RECORD_NOTES)
    # The comparison is the first to ask for the data of these runs.
    held: list[Route] = []
    answered = False

    def hold(route: Route) -> None:
        if answered:
            route.continue_()
        else:
            held.append(route)

    watched.page.route(re.compile("/api/runs/[^/]+/"), hold)
    with watched.page.expect_response(re.compile("/api/compare")):
        watched.go(f"#/compare?a={first}&b={second}")
    answered = True
    for route in held:
        route.continue_()
    differing = [one for one in complete["tensors"] if one["first_step"] is not None]
    words = f"{len(differing)} of {len(complete['tensors'])} tensors differ"
    note = watched.page.get_by_text(words)
    expect(note).to_be_visible()
    expect(note).not_to_contain_text("Still reading")
    # Nothing else was said before, but for the reason.
    said = watched.page.evaluate("window.notes")
    assert said and all(words in one or "Still reading" in one for one in said), said


def write_run(folder: Path, number: int) -> None:
    """A loss and two scalars. Runs differ in the learning rate at once, and in the loss later."""
    for step in range(STEPS):
        spoilt = number == SPOILT and step >= FIRST_NAN
        loss = 1 / (1 + step) + (0.001 * number if step >= 2 else 0)
        values = {"scalar/optim/lr": 0.1 + number, "scalar/constant": 1}
        with FileWriter(str(folder), "worker_0", step=step) as writer:
            for name, value in {"loss": np.nan if spoilt else loss, **values}.items():
                writer.write_tensor(np.full(1, value, np.float32), name, mode_step=step)
    manifest = folder / "collections/000000000/worker_0_collections.json"
    manifest.parent.mkdir(parents=True)
    losses = {"name": "losses", "include_regex": [], "tensor_names": ["loss"]}
    manifest.write_text(
        json.dumps({"collections": {"losses": losses}, "_meta": {"num_workers": 1}})
    )
    (folder / "training_job_end.ts").touch()


@pytest.fixture
def many(tmp_path):
    runs = [tmp_path / "runs" / f"run{number:02}" for number in range(MANY)]
    for number, run in enumerate(runs):
        write_run(run, number)
    for run in runs[:2]:
        command = [WARDEN, "eval", str(run), "--rules", "ExplodingTensor", "--record"]
        subprocess.run(command, capture_output=True, timeout=PATIENCE)
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield until_listed(service)
    service.stop()


def test_all_metrics_of_many_runs(many, open_page):
    watched = open_page(many, "#/runs")
    page = watched.page
    ids = [run_named(many, f"run{number:02}") for number in range(MANY)]
    runs = page.get_by_role("list", name="Compared runs").get_by_role("listitem")
    page.get_by_label("Select all shown runs").check()
    page.get_by_role("button", name=f"Compare {MANY} runs").click()
    expect(runs).to_have_count(MANY)
    letters = [f"{chr(97 + i)}={run}" for i, run in enumerate(ids[:26])]
    watched.go("#/compare?" + "&".join([*letters, *(f"more={run}" for run in ids[26:])]))
    expect(runs).to_have_count(MANY)
    expect(runs.first).to_contain_text("run00")
    # What is wrong, side by side.
    verdicts = page.get_by_role("row", name="Verdict").get_by_role("cell")
    expect(verdicts.nth(0)).to_have_text("No problems found")
    expect(verdicts.nth(SPOILT)).to_contain_text(f"NaN since step {FIRST_NAN}")
    expect(verdicts.nth(2)).to_have_text("No rules were evaluated")
    # A chart of each metric, with the values of all runs at one cursor.
    cells = page.locator(".compare-cell")
    expect(cells).to_have_count(3)
    loss, constant = cells.nth(0), cells.nth(1)
    expect(loss.locator(".plot-title")).to_have_text("loss")
    watched.wait_until_drawn(loss.locator("canvas"))
    watched.wait_until_drawn(constant.locator("canvas"))
    area = loss.locator(".u-over")

    def pointed_at() -> bool:
        # Anew each time: charts move while others are drawn.
        box = area.bounding_box()
        area.hover(position={"x": box["width"] * 0.79, "y": box["height"] * 0.9})
        return all("Step 4" in cell.inner_text() for cell in (loss, constant))

    watched.wait_until(pointed_at, loss.inner_text)
    for cell, words in ((loss, "and 18 more"), (constant, "and 18 more")):
        tip = cell.locator(".plot-tip")
        expect(tip).to_contain_text("Step 4")
        expect(tip).to_contain_text(words)
    expect(constant.locator(".plot-tip .plot-value").first).to_have_text("1")
    page.get_by_label("Find metrics").fill("lr")
    watched.wait_for_address("metrics=lr")
    expect(cells.locator(".plot-title")).to_have_text(["optim/lr"])
    # Where two runs begin to differ.
    first = page.locator(".compare-first")
    expect(first).to_contain_text("scalar/optim/lr at step 0.")
    table = page.get_by_role("table", name="Differences by tensor")
    expect(table.locator('[data-tensor="scalar/optim/lr"]')).to_contain_text("0 (first)")
    expect(table.locator('[data-tensor="loss"]').get_by_role("cell").nth(4)).to_have_text("2")
    page.get_by_role("button", name="Remove run27").click()
    expect(runs).to_have_count(MANY - 1)
    watched.wait_for_address(f"more={ids[26]}", f"!more={ids[27]}")


CHANGE = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-lr = 1\n+lr = {}\n"


@pytest.fixture
def changed(tmp_path):
    """A service with two runs of different changes of one line; the second one was renamed."""
    for number in range(2):
        run = tmp_path / f"runs/run{number}"
        write_run(run, number)
        diff = {"diff": CHANGE.format(2 + number), "diff_cut": False}
        git = {"commit": "0123456789abcdef", "branch": "main", "dirty": True, **diff}
        python = {"version": "3.11.2", "program": "python", "packages": {"numpy": "1.24.2"}}
        (run / "warden").mkdir()
        origin = {"command": ["python", "a.py"], "git": git, "python": python}
        (run / "warden/origin.json").write_text(json.dumps(origin))
    marks = {"display_name": "renamed", "note": "", "tags": ["mine"]}
    marks |= {"archived": False, "baseline": False}
    (run / "warden/marks.json").write_text(json.dumps(marks))
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield until_listed(service)
    service.stop()


def test_uncommitted_changes_are_compared_and_shown(changed, open_page):
    ids = [run_named(changed, f"run{number}") for number in range(2)]
    watched = open_page(changed, f"#/compare?a={ids[0]}&b={ids[1]}")
    page = watched.page
    expect(page.get_by_role("link", name="renamed", exact=True)).to_be_visible()
    expect(page.get_by_role("row", name="mine not set ✓")).to_be_visible()
    words = "1 file, 1 line added, 1 removed"
    row = page.get_by_role("row", name="Uncommitted changes")
    expect(row.locator("summary")).to_have_text([words, words])
    row.locator("summary").nth(1).click()
    expect(row.get_by_text("+lr = 3")).to_be_visible()
    expect(row.get_by_text("+lr = 2")).to_be_hidden()
    assert watched.check_accessibility() == []
    package = page.get_by_role("row", name="numpy 1.24.2 1.24.2")
    expect(package).to_have_count(0)
    page.get_by_label("Show equal values too").check()
    watched.wait_for_address("equal=1")
    page.reload()
    expect(package).to_be_visible()
    watched.go(f"#/run/{ids[1]}/overview")
    made = page.locator(".overview-made")
    made.get_by_role("heading", name="Made with").click()
    expect(made.get_by_text("0123456789ab with changes")).to_be_visible()
    made.get_by_text(words).click()
    expect(made.get_by_text("+lr = 3")).to_be_visible()
    made.get_by_text("1 package").click()
    expect(made.get_by_text("1.24.2")).to_be_visible()
    assert page.title().startswith("renamed")
    assert watched.check_accessibility() == []
