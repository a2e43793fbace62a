"""Small things that charts and tables got wrong: what they show is what was measured."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from browsing import ask, panel_of, run_named
from dashboard_profiler_test import profile_of
from playwright.sync_api import Locator, expect
from serving import PATIENCE, PYTHON, ROOT, WARDEN, Service
from step_profile import LAYERS, STEPS, write_step_run

from tensorwarden.files.file_writer import FileWriter

POINTS = 480
RISES = (220, 260)  # From 0 to 1 between these steps.
ONLY_STEP = 3
# The curve has about a pixel for each point.
NARROW = {"viewport": {"width": 600, "height": 900}}


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Service:
    folder = tmp_path_factory.mktemp("small")
    runs = folder / "runs"
    write_nested(runs / "nested")
    write_curve(runs / "curve")
    write_single(runs / "single")
    train_demo(runs / "demo")
    service = Service(folder, "--runs", str(runs)).start()
    yield service
    service.stop()


def save(folder: Path, step: int, tensors: dict[str, np.ndarray | np.float32]) -> None:
    with FileWriter(str(folder), "worker_0", step=step) as writer:
        for name, value in tensors.items():
            writer.write_tensor(value, name, mode_step=step)


def write_nested(folder: Path) -> None:
    """Operators that call operators, and passes that take nearly the same time."""
    write_step_run(folder)
    (file,) = folder.rglob("*_pythontimeline.json")
    events = json.loads(file.read_text())
    for event in events:
        if event["name"] == "SGD":
            event["dur"] = 1000 + event["ts"] // 100_000 % 3  # 1, 1.001 or 1.002 ms.
    file.write_text(json.dumps(events))
    (folder / "training_job_end.ts").touch()


def write_curve(folder: Path) -> None:
    begin, end = RISES
    for step in range(POINTS):
        save(
            folder, step, {"scalar/rise": np.float32(np.clip((step - begin) / (end - begin), 0, 1))}
        )
    (folder / "training_job_end.ts").touch()


def write_single(folder: Path) -> None:
    """Stopped after one saved step."""
    narrow = np.linspace(100, 100.4, 1000, dtype=np.float32)
    tensors = {"scalar/loss": np.float32(0.25), "dead": np.zeros(4, np.float32), "narrow": narrow}
    save(folder, ONLY_STEP, tensors)
    (folder / "training_job_end.ts").touch()
    rules = "AllZero:tensor_regex=dead"
    run_rules(WARDEN, "eval", folder, "--rules", rules, "--record")


def train_demo(folder: Path) -> None:
    """What `make demo` trains."""
    script = ROOT / "examples/vanishing/train.py"
    run_rules(
        WARDEN, "run", "--no-report", "--out", folder, "--stop-on", "any", "--", PYTHON, script
    )


def run_rules(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=PATIENCE)
    assert done.returncode == 3, done.stdout + done.stderr


# What is written on canvases from now on: text, and its distance from the top.
RECORD = """
() => {
  window.written = [];
  const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
    window.written.push([String(text), y]);
    return fill.call(this, text, x, y, ...more);
  };
}
"""

# For each column of a plot, right of the axis: how much blue there is, and its mean distance from
# the top. Grids are grey.
INK = """
(canvas) => {
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const on = copy.getContext('2d');
  on.drawImage(canvas, 0, 0);
  const { data } = on.getImageData(0, 0, copy.width, copy.height);
  const plot = canvas.closest('figure').querySelector('.u-over').getBoundingClientRect();
  const left = Math.floor((plot.left - canvas.getBoundingClientRect().left) * devicePixelRatio);
  const ink = new Array(copy.width).fill(0);
  const heights = new Array(copy.width).fill(0);
  for (let i = 0; i < data.length; i += 4) {
    const blue = Math.max(0, data[i + 2] - data[i] - 60) * data[i + 3] / 255;
    ink[(i / 4) % copy.width] += blue;
    heights[(i / 4) % copy.width] += blue * Math.floor(i / 4 / copy.width);
  }
  return [ink, heights.map((sum, i) => sum / (ink[i] || 1))].map((all) => all.slice(left));
}
"""


def ink_of(watched, canvas: Locator) -> np.ndarray:
    """What INK tells, once the curve is there and stays as it is."""
    seen = [np.zeros(0), np.zeros(1)]

    def is_still() -> bool:
        watched.settled()
        seen.append(np.array(canvas.evaluate(INK)))
        return bool(seen[-1].any()) and np.array_equal(*seen[-2:])

    watched.wait_until(is_still)
    return seen[-1]


def test_nested_operators_are_counted_once(small, open_page):
    profile_of(small, "nested")  # Once it is whole.
    watched = open_page(small, panel_of(small, "nested", "profiler"))
    page = watched.page
    table = page.get_by_role("table", name="CPU operators", exact=True)
    expect(table.locator("thead")).to_have_text(re.compile(r"self \(ms\)\s*total \(ms\)"))
    rows = {
        name: list(map(float, numbers))
        for name, *numbers in (
            row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()
        )
    }
    calls = STEPS * LAYERS
    # Count, self time, total time, longest, share of all self time.
    assert rows["aten::conv2d"][:4] == pytest.approx([calls, 0.3 * calls, 0.8 * calls, 0.8])
    assert rows["aten::cudnn_convolution"][:3] == pytest.approx([calls, 0.5 * calls, 0.5 * calls])
    own = sum(numbers[1] for numbers in rows.values())
    assert own == pytest.approx(0.8 * calls + 2 * STEPS)  # And ConvolutionBackward.
    assert sum(numbers[4] for numbers in rows.values()) == pytest.approx(100, abs=0.2)
    pie = watched.figure("Self time of CPU operators")
    share = f"{100 * 0.3 * calls / own:.1f}"
    expect(pie).to_contain_text(f"conv2d {share} %")
    # Ticks of a histogram of times that differ by thousandths are different.
    ticks = watched.figure("Optimizer").locator("svg text")
    expect(ticks.first).to_be_attached()
    assert len(tick_texts(ticks)) > 5, tick_texts(ticks)
    assert len(set(tick_texts(ticks))) == len(tick_texts(ticks)), tick_texts(ticks)


def tick_texts(ticks: Locator) -> list[str]:
    return ticks.evaluate_all("all => all.map((one) => one.textContent)")


def test_a_steep_curve_of_many_points_has_no_stairs(small, open_page):
    saved = f"runs/{run_named(small, 'curve')}/tensors"
    watched = open_page(small, "#/runs", **NARROW)
    watched.wait_until(lambda: ask(small, saved)["ingested"]["done"])
    watched.go(panel_of(small, "curve", "overview"))
    chart = watched.figure("rise")
    canvas = chart.locator("canvas").first
    watched.wait_until_drawn(canvas)
    ink, heights = ink_of(watched, canvas)
    flat = np.median(ink[ink > 0])
    (steep,) = np.nonzero(ink > 1.5 * flat)
    # As wide as the steps between which it rises, without a hole.
    width = np.count_nonzero(ink) * (RISES[1] - RISES[0]) / POINTS
    assert len(steep) == steep[-1] - steep[0] + 1 == pytest.approx(width, abs=3)
    # It rises evenly, and is as thick across as where it is flat.
    inner = steep[3:-3]
    rises = -np.diff(heights[inner])
    assert rises == pytest.approx(rises.mean(), rel=0.15)
    assert ink[inner] == pytest.approx(flat * np.hypot(1, rises.mean()), rel=0.15)
    with watched.page.expect_download() as coming:
        chart.get_by_role("button", name="Download rise").click()
        watched.page.get_by_role("menuitem", name="CSV", exact=True).click()
    rows = Path(coming.value.path()).read_text().splitlines()
    assert len(rows) == 1 + POINTS
    assert rows[1 + 250] == "250,0.75"


def test_ticks_of_histograms_are_different(small, open_page):
    address = panel_of(small, "single", "tensors", tensor="narrow", tab="distribution")
    watched = open_page(small, address)
    page = watched.page
    panel = page.get_by_role("tabpanel", name="Distribution")
    watched.wait_until_drawn(panel.locator("canvas").last)
    expect(panel).to_contain_text("between 100 and 100.4")
    page.evaluate(RECORD)
    page.get_by_role("button", name="Use dark colors").click()  # Everything is drawn again.
    page.wait_for_function("() => window.written.some(([text]) => text === '100.4')")
    written = [text for text, _ in page.evaluate("window.written")]
    ticks = [text for text in written if text.startswith("100")]
    assert ticks[0] == "100" and "100.4" in ticks
    once = ticks[: ticks.index("100.4") + 1]
    assert len(set(once)) == len(once) > 3, written
    # So are the names of rows of the heat map.
    panel.get_by_role("button", name="Heat", exact=True).click()
    watched.wait_until_drawn(panel.locator(".heat-box canvas").first)
    panel.locator(".heat-box").focus()
    told = set()
    row = panel.locator("[aria-live=polite]", has_text=" to ").first
    for _ in range(3):
        page.keyboard.press("ArrowDown")
        watched.wait_until(lambda: row.inner_text() not in told, lambda: str(told))
        told.add(row.inner_text())


def test_a_run_of_one_step_has_a_dot_with_its_value(small, open_page):
    watched = open_page(small, panel_of(small, "single", "overview"))
    page = watched.page
    chart = watched.figure("loss")
    chart.scroll_into_view_if_needed()
    expect(chart.locator(".plot-value")).to_have_text("0.25")
    expect(page.get_by_text(f"Only step {ONLY_STEP} was saved.")).to_be_visible()
    canvas = chart.locator("canvas").first
    watched.wait_until_drawn(canvas)
    ink, _ = ink_of(watched, canvas)
    (dot,) = np.nonzero(ink)
    middle = len(ink) / 2
    assert 3 <= dot[-1] - dot[0] + 1 <= 8 and abs(dot.mean() - middle) < 0.05 * len(ink), dot
    # Below it only whole steps: its own.
    page.evaluate(RECORD)
    page.get_by_role("button", name="Use dark colors").click()  # Everything is drawn again.
    page.wait_for_function(f"() => window.written.some(([text]) => text === '{ONLY_STEP}')")
    written = page.evaluate("window.written")
    (bottom,) = {height for text, height in written if text == str(ONLY_STEP)}
    empty = {"0", "1"}  # The axis of a new plot, before it gets its data in the same moment.
    ticks = {text for text, height in written if height == bottom}
    assert ticks - empty == {str(ONLY_STEP)}, written
    # The curve of its finding is a dot, too.
    page.get_by_text("All findings").click()
    spark = page.locator(".overview-finding .sparkline")
    expect(spark).to_have_accessible_name(re.compile(f"steps {ONLY_STEP} to {ONLY_STEP}$"))
    expect(spark.locator(".sparkline-dots")).to_have_css("stroke-linecap", "round")
    points = spark.locator(".sparkline-dots").get_attribute("d")
    assert points == "M120.0 20.0h0"


def test_the_demo_is_stopped_when_there_is_something_to_see(small, open_page):
    watched = open_page(small, panel_of(small, "demo", "overview"))
    page = watched.page
    step = page.locator("dt", has_text=re.compile("^Step$")).locator("xpath=following-sibling::dd")
    expect(step.first).to_have_text(re.compile(r"^\d+$"))
    assert int(step.first.inner_text()) >= 20
    verdict = page.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text("GradientFlow")
    page.get_by_text("All findings").click()
    sparks = page.locator(".overview-finding .sparkline")
    expect(sparks.first).to_be_visible()
    for spark in sparks.all():
        points = spark.locator(".sparkline-line").get_attribute("d").count("L")
        assert points >= 8, spark.get_attribute("aria-label")
    chart = page.locator("figure", has=page.locator(".plot-title", has_text="oss")).first
    chart.scroll_into_view_if_needed()
    watched.wait_until_drawn(chart.locator("canvas"))
    chart.get_by_role("button", name="Show table").click()
    texts = chart.locator("tbody th").all_inner_texts

    def has_steps() -> bool:
        steps = [int(text) for text in texts()]
        return len(steps) >= 8 and steps[0] == 0 and steps[-1] >= 20

    watched.wait_until(has_steps, lambda: str(texts()))
