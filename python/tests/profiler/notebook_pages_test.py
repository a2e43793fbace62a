"""Saved charts are pages that a browser draws without a network."""

import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

from smdebug.profiler import LocalAlgorithmMetricsReader, LocalSystemMetricsReader
from smdebug.profiler.analysis.notebook_utils import MetricsHistogram, StepHistogram
from smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
from smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
from smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
from tensorwarden.profiler.notebook.chart import COLOURS

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no Chromium")
FIRST_COLOUR = tuple(bytes.fromhex(COLOURS[0][1:]))
# The ends of the palette of heat maps.
COLD, WARM = (68, 1, 84), (253, 231, 36)


@pytest.fixture(scope="module")
def page():
    with sync_playwright() as playwright:
        arguments = {"executable_path": str(CHROMIUM), "args": ["--no-sandbox"]}
        browser = playwright.chromium.launch(**arguments, timeout=120_000)
        context = browser.new_context(offline=True)
        context.set_default_timeout(120_000)
        yield context.new_page()
        browser.close()


def metrics_histogram(system, framework):
    chart = MetricsHistogram(system)
    chart.plot(select_dimensions=["CPU"])
    return chart


def step_histogram(system, framework):
    chart = StepHistogram(framework)
    chart.plot()
    return chart


def details(system, framework):
    chart = TimelineCharts(system, framework)
    chart.plot_detailed_profiler_data([1, 4])
    return chart


CHARTS = [
    (metrics_histogram, 6, [FIRST_COLOUR]),
    (step_histogram, 3, [FIRST_COLOUR]),
    (lambda system, framework: StepTimelineChart(framework), 1, [FIRST_COLOUR]),
    (lambda system, framework: TimelineCharts(system, framework), 10, [FIRST_COLOUR]),
    (details, 1, [FIRST_COLOUR]),
    (lambda system, framework: Heatmap(system, select_dimensions=[".*"]), 1, [COLD, WARM]),
]


@pytest.mark.parametrize(("make", "figures", "colours"), CHARTS)
def test_a_page_is_drawn(aligned, tmp_path, page, make, figures, colours):
    chart = make(LocalSystemMetricsReader(aligned), LocalAlgorithmMetricsReader(aligned))
    path = chart.save(tmp_path / "page.html")
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"file://{path}")
    page.wait_for_function("window.Bokeh && Bokeh.documents.length == 1")
    page.wait_for_function("Bokeh.documents[0].is_idle")
    shown = page.evaluate(
        "Array.from(Bokeh.documents[0]._all_models.values())"
        ".filter(model => model.type.endsWith('Figure')).length"
    )
    assert shown == figures
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    painted = {colour for _, colour in picture.getcolors(1 << 24)}
    assert set(colours) <= painted
    assert wrong == []
