"""Charts of a comparison: what they show of each run, and that a link restores it."""

import json
from pathlib import Path

import pytest
from browsing import PHONE, run_named, until_listed
from dashboard_charts_test import columns_of, flags_of
from dashboard_compare_test import STEPS as STEADY_STEPS
from dashboard_compare_test import write_run
from playwright.sync_api import expect
from serving import Service
from unhappy import DIVERGED, EPOCH, FIRST_NAN, STEPS, write_diverged_run

STEADY = "steady"
# Charts are made when they are near the window.
TALL = {"viewport": {"width": 1360, "height": 2400}}


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> Service:
    """A service with a run whose loss became NaN, and one that has no epochs."""
    folder = tmp_path_factory.mktemp("pair")
    write_diverged_run(folder / "runs" / DIVERGED)
    write_run(folder / "runs" / STEADY, 0)
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield until_listed(service)
    service.stop()


@pytest.fixture
def compare(pair, open_page):
    """Opens the comparison of both."""

    def open_one(query: str = "", **context):
        runs = f"a={run_named(pair, DIVERGED)}&b={run_named(pair, STEADY)}"
        return open_page(pair, f"#/compare?{runs}{query}", **{**TALL, **context})

    return open_one


def cell(watched, title: str):
    """A chart of the grid."""
    watched.page.locator(".compare-grid").first.scroll_into_view_if_needed()
    chart = watched.page.locator(".compare-grid figure").filter(
        has=watched.page.get_by_text(title, exact=True)
    )
    watched.wait_until_drawn(chart.locator("canvas"))
    return chart


def bar_of(watched):
    return watched.page.get_by_role("group", name="Charts", exact=True)


def test_one_row_of_controls_is_for_all_charts_and_in_the_address(compare):
    watched = compare()
    bar = bar_of(watched)
    bar.get_by_label("Average").select_option("Window of steps")
    bar.get_by_label("Smoothing").fill("20")
    bar.get_by_label("Logarithmic y").check()
    bar.get_by_label("Clip outliers").check()
    watched.page.get_by_label("Show equal values too").check()
    watched.wait_for_address("equal=1")
    bar.get_by_label("X axis").select_option("Relative time")
    watched.wait_for_address("axis=relative", "window=20", "log=1", "clip=1")
    # In the window of a colleague.
    other = compare("&" + watched.address().split("&", 2)[2])
    bar = bar_of(other)
    expect(bar.get_by_label("X axis")).to_have_value("relative")
    expect(bar.get_by_label("Average")).to_have_value("window")
    expect(bar.get_by_label("Smoothing")).to_have_value("20")
    expect(bar.get_by_label("Logarithmic y")).to_be_checked()
    expect(bar.get_by_label("Clip outliers")).to_be_checked()
    expect(other.page.get_by_label("Show equal values too")).to_be_checked()
    # Each run begins at 0.
    times = columns_of(cell(other, "optim/lr"))
    expect(times.first).to_have_text("0")
    expect(times).to_contain_text([str(STEPS - 2)])
    value = other.page.locator(".compare-plot .plot-legend button").first.locator(".plot-value")
    expect(value).to_have_text("NaN")
    # What was smoothed away is a band.
    other.go(f"{other.address()}&tensor=scalar%2Faccuracy")
    expect(value).to_contain_text(" to 0.59")
    assert other.check_accessibility() == []


def test_findings_and_nan_of_each_run_are_marked(compare):
    watched = compare()
    name = f"A  {DIVERGED}"
    for chart in (cell(watched, "loss (TRAIN)"), watched.page.locator(".compare-plot figure")):
        for words in (
            f"{name}: ExplodingTensor, step {FIRST_NAN}",
            f"{name}: NaN since step {FIRST_NAN}",
        ):
            watched.wait_until(
                lambda chart=chart, words=words: any(words in one for one in flags_of(chart)),
                lambda chart=chart: str(flags_of(chart)),
            )
    note = watched.page.get_by_text("Steps are counted over all modes (TRAIN, EVAL)")
    expect(note).to_be_visible()
    watched.page.get_by_label("Mode").select_option("TRAIN")
    own = watched.page.get_by_text("Steps are those of TRAIN; charts count all modes.")
    expect(own).to_be_visible()


def test_runs_that_do_not_count_epochs_are_named(compare):
    watched = compare("&axis=epoch")
    expect(watched.page.get_by_text(f"Not shown (no epochs recorded): {STEADY}.")).to_be_visible()
    chart = cell(watched, "optim/lr")
    epochs = columns_of(chart)
    expect(epochs.nth(1)).to_have_text(f"{1 + 1 / EPOCH}")
    expect(chart.locator("thead th")).to_have_text(["Epoch", f"A  {DIVERGED}"])
    bar_of(watched).get_by_label("X axis").select_option("Step")
    expect(chart.locator("thead th")).to_have_text(["Step", f"A  {DIVERGED}", f"B  {STEADY}"])
    watched.page.go_back()
    expect(chart.locator("thead th")).to_have_text(["Epoch", f"A  {DIVERGED}"])


def test_a_hidden_run_stays_hidden_in_a_link_and_in_files(compare):
    watched = compare()
    page = watched.page
    cell(watched, "optim/lr")
    steady = page.get_by_role("button", name=f"Show {STEADY} in charts")
    expect(steady).to_have_attribute("aria-pressed", "true")
    page.locator(".compare-plot .plot-legend button", has_text=STEADY).click()
    expect(steady).to_have_attribute("aria-pressed", "false")
    watched.wait_for_address("hide=")
    other = compare("&" + watched.address().split("&", 2)[2])
    page = other.page
    expect(page.get_by_role("button", name=f"Show {STEADY} in charts")).to_have_attribute(
        "aria-pressed", "false"
    )
    entry = page.locator(".compare-plot .plot-legend button", has_text=STEADY)
    expect(entry).to_have_attribute("aria-pressed", "false")
    chart = cell(other, "optim/lr")
    assert rows_of(page, chart)[0] == f"step,A  {DIVERGED}"
    page.get_by_role("button", name=f"Show {STEADY} in charts").click()
    other.wait_for_address("!hide=")
    assert rows_of(page, chart)[0] == f"step,A  {DIVERGED},B  {STEADY}"


def rows_of(page, chart) -> list[str]:
    return download(page, chart, "CSV").decode().splitlines()


def download(page, chart, kind: str) -> bytes:
    chart.get_by_role("button", name="Download").click()
    with page.expect_download() as coming:
        chart.get_by_role("menuitem", name=kind, exact=True).click()
    return Path(coming.value.path()).read_bytes()


def test_a_chart_fills_the_window_and_is_downloaded(compare):
    watched = compare()
    page = watched.page
    cell(watched, "optim/lr").get_by_role("button", name="Full screen: optim/lr").click()
    watched.wait_for_address("chart=optim%2Flr")
    dialog = page.get_by_role("dialog", name="optim/lr")
    page.reload()
    expect(dialog).to_be_visible()
    watched.wait_until(lambda: dialog.locator(".plot-box").bounding_box()["height"] > 600)
    watched.wait_until_drawn(dialog.locator("canvas"))
    expect(dialog.locator(".plot-legend button")).to_have_count(2)
    rows = rows_of(page, dialog)
    assert rows[1 + STEADY_STEPS - 1].startswith(f"{STEADY_STEPS - 1},") and rows[-1].endswith(",")
    series = json.loads(download(page, dialog, "JSON"))["series"]
    assert series[1]["points"][0] == {"step": 0, "value": pytest.approx(0.1)}
    assert download(page, dialog, "PNG").startswith(b"\x89PNG")
    assert f"B  {STEADY}" in download(page, dialog, "SVG").decode()
    page.keyboard.press("Escape")
    watched.wait_for_address("!chart=")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_controls_fit_a_phone(compare, scheme):
    watched = compare("&smooth=0.5", **PHONE, color_scheme=scheme)
    cell(watched, "loss (TRAIN)")
    assert watched.sideways() <= 0
    assert watched.check_accessibility() == []
