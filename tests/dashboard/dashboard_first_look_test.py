"""What people stumbled over when they first looked at a run, so that it stays away."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from browsing import PHONE, ask, panel_of, run_named
from gpu_profile import START, STEPS, write_gpu_run, write_metrics
from playwright.sync_api import expect
from serving import PATIENCE, ROOT, WARDEN, Service

from tensorwarden.files.file_writer import FileWriter

sys.path.append(str(ROOT / "tests/report"))
from xgboost_runs import write_run

FIRST_NAN = 6
KILLED_AT = 98
MANY = 5000
BEST_ROUND = 32


def layer(number: int) -> str:
    return f"encoder.layer.{number:04}.attention.output.dense.weight"


@pytest.fixture(scope="module")
def looked(tmp_path_factory) -> Service:
    folder = tmp_path_factory.mktemp("looked")
    runs = folder / "runs"
    write_profiled(runs / "profiled")
    write_killed(runs / "killed")
    write_wide(runs / "wide")
    write_boosted(runs / "boosted")
    service = Service(folder, "--runs", str(runs)).start()
    service.runs = runs
    yield service
    service.stop()


def save(folder: Path, step: int, tensors: dict[str, np.ndarray], time: float) -> None:
    with FileWriter(str(folder), "worker_0", step=step) as writer:
        for name, value in tensors.items():
            writer.write_tensor(value, name, mode_step=step, timestamp=time)


def write_profiled(folder: Path) -> None:
    """Twelve seconds of two GPUs, and a tensor that became NaN after six."""
    write_gpu_run(folder)
    for step in range(STEPS):
        value = np.full(4, np.nan if step >= FIRST_NAN else 1.0)
        save(folder, step, {"hidden": value}, START + step + 0.5)
    command = [WARDEN, "eval", str(folder), "--rules", "ExplodingTensor", "--record"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 3, done.stdout + done.stderr


def write_killed(folder: Path) -> None:
    """Killed long after its last step; --steps of the script is not the number of steps."""
    for step in (0, KILLED_AT):
        tiny = np.float32(-1.4e-4 * (1 + step / 1000))
        save(folder, step, {"scalar/loss": np.float32(1), "scalar/tiny": tiny}, START + step)
    command = ["python", "train.py", "--steps", "60"]
    facts = {"command": command, "started": START - 1, "ended": START + 300, "signal": 9}
    # Its rule had no time to say what it has seen.
    rule = {"name": "ExplodingTensor", "rule": "ExplodingTensor", "status": "InProgress"}
    records = (("warden/run.json", facts), ("rule-output/ExplodingTensor/status.json", rule))
    for name, record in records:
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(json.dumps(record))
    for path in folder.rglob("*worker_0*"):
        os.utime(path, (START + KILLED_AT, START + KILLED_AT))


def write_wide(folder: Path) -> None:
    for step in range(2):
        row = {layer(i): np.float32(i + step) for i in range(MANY)}
        save(folder, step, row, START + step)
    (folder / "training_job_end.ts").touch()


def write_boosted(folder: Path) -> None:
    """The loss of the validation rises slowly from a round on."""
    falls = 0.3 + 0.4 * np.exp(-np.arange(BEST_ROUND + 1) / 8)
    losses = [*falls, *(falls[-1] + 0.0004 * np.arange(1, 31))]
    steps = {
        round: {"train-logloss": 0.5 / (1 + round), "validation-logloss": loss}
        for round, loss in enumerate(losses)
    }
    write_run(folder, steps)
    command = [WARDEN, "report", "xgboost", str(folder)]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)


# What is written on canvases from now on: text, where its left end is in pixels, and its height.
RECORD = """
() => {
  window.written = [];
  const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
    const { a, e } = this.getTransform();
    const wide = this.measureText(text).width;
    const share = { right: 1, end: 1, center: 0.5 }[this.textAlign] ?? 0;
    window.written.push([String(text), a * (x - share * wide) + e, y]);
    return fill.call(this, text, x, y, ...more);
  };
}
"""


def test_findings_are_marked_on_the_timeline_and_lead_to_the_machine(looked, open_page):
    watched = open_page(looked, panel_of(looked, "profiled", "timeline"))
    page = watched.page
    page.get_by_role("tab", name=re.compile("^Marks")).click()
    mark = page.get_by_role("tabpanel", name=re.compile("^Marks")).locator("tbody tr").first
    expect(mark).to_contain_text("finding")
    expect(mark).to_contain_text("ExplodingTensor: hidden: contains 4 NaN")
    # On the time axis it is where its step begins, in the middle of 12 s.
    tip = page.locator(".timeline-tip")

    def pointed_at() -> bool:
        # Anew each time: the ruler moves and marks come while the page loads.
        ruler = page.locator(".timeline-ruler").bounding_box()
        middle = ruler["x"] + ruler["width"] * FIRST_NAN / STEPS
        for offset in (*range(-24, 24, 2), 0):
            page.mouse.move(middle + offset, ruler["y"] + ruler["height"] - 5)
            if tip.is_visible() and "ExplodingTensor" in tip.inner_text():
                return True
        return False

    watched.wait_until(pointed_at)
    page.keyboard.press("d")  # Something else is under the pointer then.
    expect(tip).to_be_hidden()
    mark.get_by_role("button").click()
    watched.wait_for_address(f"at={START + FIRST_NAN}")
    # What a range has of an event counts, not the whole event.
    watched.go(panel_of(looked, "profiled", "timeline", range="1000100~1000400", tab="statistics"))
    total = page.get_by_role("tabpanel", name="Statistics").locator("tbody tr", has_text="Step:")
    expect(total).to_contain_text("300 µs")
    # The machine at that time is not shown longer than it was watched.
    watched.go(panel_of(looked, "profiled", "overview"))
    machine = page.get_by_role("link", name="Machine at that time").first
    machine.wait_for()
    asked = []
    page.on("request", lambda request: asked.append(parse_qs(urlsplit(request.url).query)))
    machine.click()
    watched.wait_for_address("/system?at=")
    expect(watched.figure("CPU utilization").locator("a.plot-flag-warning").first).to_be_attached()
    spans = [float(one["to"][0]) - float(one["from"][0]) for one in asked if "to" in one]
    assert spans and max(spans) <= 4 * STEPS, spans  # With what is loaded beside the window.


def test_a_killed_run_has_no_end_and_no_number_of_steps(looked, open_page):
    watched = open_page(looked, panel_of(looked, "killed", "overview"))
    page = watched.page
    step = page.locator("dt", has_text=re.compile("^Step$")).locator("xpath=following-sibling::dd")
    expect(step.first).to_have_text(str(KILLED_AT))
    expect(page.get_by_text("No more steps for 3:22")).to_be_visible()
    expect(page.get_by_text("Finalization")).to_have_count(0)
    rule = page.get_by_role("table", name="Rules").get_by_role("row", name="ExplodingTensor")
    expect(rule).to_contain_text("Stopped")


def test_every_one_of_many_layers_is_a_row(looked, open_page):
    watched = open_page(looked, panel_of(looked, "wide", "layers"))
    page = watched.page
    expect(page.get_by_text(f"{MANY:,} tensors in model order")).to_be_visible()
    expect(page.get_by_text("more tensors are not shown")).to_have_count(0)
    page.locator(".heat-box").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[aria-live=polite]", has_text="layer.0000").first).to_be_attached()


def test_a_validation_loss_that_rises_slowly_is_told(looked, open_page):
    watched = open_page(looked, panel_of(looked, "boosted", "reports"))
    inside = watched.page.frame_locator("iframe")
    expect(inside.get_by_text(f"Stop at step {BEST_ROUND}").first).to_be_visible()
    expect(inside.get_by_text("Nothing needs attention")).to_have_count(0)


def test_metrics_that_come_later_are_shown_without_a_restart(looked, open_page):
    folder = looked.runs / "killed"
    watched = open_page(looked, panel_of(looked, "killed", "system"))
    expect(watched.page.get_by_role("heading", name="No system metrics")).to_be_visible()
    write_metrics(folder / "profiler-output/system/incremental/2026010112" / f"{START}.algo-1.json")
    watched.wait_until(lambda: ask(looked, f"runs/{run_named(looked, 'killed')}")["has"]["metrics"])
    watched.page.reload()
    watched.wait_until_drawn(watched.figure("CPU utilization").locator("canvas"))


def test_small_numbers_fit_beside_the_axis(looked, open_page):
    watched = open_page(looked, panel_of(looked, "killed", "overview"))
    page = watched.page
    chart = watched.figure("tiny")
    watched.wait_until_drawn(chart.locator("canvas"))
    page.evaluate(RECORD)
    page.get_by_role("button", name="Use dark colors").click()  # Everything is drawn again.
    page.wait_for_function("() => window.written.some(([text]) => /\\de.\\d|0\\.0001/.test(text))")
    written = page.evaluate("window.written")
    # As the page writes a minus.
    written = [(text.replace("\N{MINUS SIGN}", "-"), left) for text, left, _ in written]
    labels = [one for one in written if re.search(r"\de-\d|0\.0001", one[0])]
    assert labels, written
    assert all(left >= 0 and -2e-4 <= float(text) <= -1e-4 for text, left in labels), labels


def test_layers_have_different_names_on_a_phone(looked, open_page):
    watched = open_page(looked, panel_of(looked, "wide", "layers"), **PHONE)
    page = watched.page
    watched.wait_until_drawn(page.locator(".heat-box canvas").first)
    watched.settled()
    page.evaluate(RECORD)
    page.get_by_role("button", name="Use dark colors").click()
    page.wait_for_function(
        "() => window.written.filter(([text]) => /\\d{3}/.test(text)).length > 9"
    )
    places = {}
    for text, _, top in page.evaluate("window.written"):
        if re.search(r"\d{3}", text):
            places.setdefault(text, set()).add(top)
    assert len(places) > 9
    assert all(len(tops) == 1 for tops in places.values()), places
