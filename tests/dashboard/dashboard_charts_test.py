"""Charts of the overview: every saved number, on one axis with the findings."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browsing import panel_of
from playwright.sync_api import expect
from unhappy import DIVERGED, FIRST_NAN, STEPS


def open_charts(service, open_page, run: str = DIVERGED, **params):
    return open_page(service, panel_of(service, run, "overview", **params))


def flags_of(chart) -> list[str]:
    return chart.locator(".plot-flag").evaluate_all("all => all.map((one) => one.title)")


def columns_of(chart):
    """The first cells of the chart's table, which is opened."""
    chart.get_by_role("button", name="Show table").click()
    return chart.locator("tbody th")


def test_every_scalar_of_the_script_has_a_chart(unhappy, open_page):
    watched = open_charts(unhappy, open_page)
    for title in ("loss", "accuracy", "optim/lr"):
        chart = watched.figure(title)
        chart.scroll_into_view_if_needed()
        watched.wait_until_drawn(chart.locator("canvas"))
    section = watched.page.locator("details.overview-chart-section")
    expect(section.get_by_role("heading", name="optim")).to_be_visible()


def test_what_was_observed_for_rules_is_one_click_away(unhappy, open_page):
    watched = open_charts(unhappy, open_page)
    page = watched.page
    expect(watched.figure("training/learning_rate")).to_be_visible()
    chart = watched.figure("training/dead_inputs")
    expect(chart).to_have_count(0)  # Not even loaded.
    section = page.locator("details.overview-chart-section").last

    def opened() -> bool:
        # Charts above that are drawn meanwhile push it away from under the pointer.
        page.get_by_role("heading", name="Observed in the training loop").click()
        return section.get_attribute("open") is not None

    watched.wait_until(opened)
    # Charts are made when somebody can see them.
    section.locator(".overview-charts").evaluate("grid => grid.lastElementChild.scrollIntoView()")
    chart.scroll_into_view_if_needed()
    watched.wait_until_drawn(chart.locator("canvas"))
    expect(chart.locator(".plot-legend button")).to_have_count(2)


def test_a_loss_that_is_nan_says_so(unhappy, open_page):
    watched = open_charts(unhappy, open_page)
    chart = watched.figure("loss")
    for mode in ("TRAIN", "EVAL"):
        entry = chart.locator(".plot-legend button", has_text=f"loss ({mode})")
        expect(entry.locator(".plot-value")).to_have_text("NaN")
    watched.wait_until(
        lambda: any(f"loss (TRAIN): NaN since step {FIRST_NAN}" in one for one in flags_of(chart)),
        lambda: str(flags_of(chart)),
    )
    # The axis goes to the end of the run, not to the end of the curve.
    expect(columns_of(chart)).to_have_text([str(step) for step in range(STEPS)])


def test_findings_are_marked_where_the_run_also_evaluates(unhappy, open_page):
    watched = open_charts(unhappy, open_page)
    for title in ("loss", "accuracy", "optim/lr"):
        chart = watched.figure(title)
        chart.scroll_into_view_if_needed()
        watched.wait_until(
            lambda chart=chart: any(
                f"ExplodingTensor, step {FIRST_NAN}" in one for one in flags_of(chart)
            ),
            lambda chart=chart: str(flags_of(chart)),
        )
    note = watched.page.get_by_text("Steps are counted over all modes (TRAIN, EVAL)")
    expect(note).to_be_visible()


def test_the_look_of_charts_is_in_the_address(unhappy, open_page):
    watched = open_charts(unhappy, open_page)
    page = watched.page
    bar = page.get_by_role("group", name="Charts", exact=True)
    bar.get_by_label("Smoothing").fill("0.6")
    watched.wait_for_address("smooth=0.6")
    bar.get_by_label("Logarithmic y").check()
    watched.wait_for_address("log=1")
    bar.get_by_label("X axis").select_option("Relative time")
    watched.wait_for_address("x=relative")
    page.reload()
    expect(bar.get_by_label("Smoothing")).to_have_value("0.6")
    expect(bar.get_by_label("Logarithmic y")).to_be_checked()
    expect(bar.get_by_label("X axis")).to_have_value("relative")
    watched.wait_until_drawn(watched.figure("accuracy").locator("canvas"))
    page.go_back()
    watched.wait_for_address("!x=relative")
    expect(bar.get_by_label("X axis")).to_have_value("step")


def test_smoothing_changes_the_curve_but_not_what_was_measured(unhappy, open_page):
    watched = open_charts(unhappy, open_page, smooth=0.9)
    chart = watched.figure("accuracy")
    value = chart.locator(".plot-value")
    # The band tells the last value, the line its average.
    expect(value).to_have_text(re.compile(r"^0\.\d+ \(0\.\d+ to 0\.59\d?\)$"))


def test_time_is_an_axis(unhappy, open_page):
    watched = open_charts(unhappy, open_page, x="time")
    chart = watched.figure("accuracy")
    watched.wait_until_drawn(chart.locator("canvas"))
    expect(columns_of(chart).first).to_have_text(re.compile("^Jan 1, 12:00:00"))
    watched.wait_until(lambda: any("ExplodingTensor" in one for one in flags_of(chart)))


def test_relative_times_begin_with_the_run(unhappy, open_page):
    """Also of a run that was copied, whose files are younger than its steps."""
    watched = open_charts(unhappy, open_page, x="relative")
    chart = watched.figure("accuracy")
    watched.wait_until_drawn(chart.locator("canvas"))
    chart.get_by_role("button", name="Show table").click()
    expect(chart.locator("tbody th").first).to_have_text("0")
    expect(chart.locator("tbody th").last).to_have_text(str(STEPS - 2))


def test_the_cursor_is_in_all_charts(unhappy, open_page):
    watched = open_charts(unhappy, open_page)
    loss, accuracy = watched.figure("loss"), watched.figure("accuracy")
    watched.wait_until_drawn(loss.locator("canvas"))
    watched.wait_until_drawn(accuracy.locator("canvas"))
    at, also = (chart.locator(".plot-at") for chart in (loss, accuracy))

    def pointed_at() -> bool:
        # Anew each time: charts move while others are drawn.
        loss.locator(".u-over").hover(position={"x": 200, "y": 40})
        return bool(at.inner_text()) and at.inner_text() == also.inner_text()

    watched.wait_until(pointed_at, lambda: f"{at.inner_text()} {also.inner_text()}")
    expect(accuracy.locator(".plot-line")).to_be_visible()


def test_charts_are_moved_pinned_enlarged_and_downloaded(unhappy, open_page):
    watched = open_charts(unhappy, open_page)
    page = watched.page
    main = page.locator(".overview-main")
    first = ["loss", "accuracy", "training/learning_rate"]
    expect(main.locator(".plot-title")).to_have_text(first)
    # With the keys, then with the pointer.
    handle = main.get_by_role("button", name="Move training/learning_rate")
    handle.press("ArrowLeft")
    expect(main.locator(".plot-title")).to_have_text([first[0], first[2], first[1]])
    expect(handle).to_be_focused()
    target = main.get_by_role("button", name="Move loss")
    for title in first:
        watched.wait_until_drawn(watched.figure(title).locator("canvas"))
    watched.settled()
    handle.scroll_into_view_if_needed()
    middle = target.bounding_box()
    handle.hover()
    page.mouse.down()
    page.mouse.move(middle["x"] + 30, middle["y"] + 60, steps=5)
    expect(main.locator(".common-drop .plot-title")).to_have_text("loss")
    page.mouse.up()
    moved = [first[2], first[0], first[1]]
    expect(main.locator(".plot-title")).to_have_text(moved)
    page.reload()
    expect(main.locator(".plot-title")).to_have_text(moved)
    page.get_by_role("heading", name="optim").scroll_into_view_if_needed()
    page.get_by_role("button", name="Pin optim/lr to the top").click()
    watched.wait_for_address("pin=optim%2Flr")
    pinned = page.locator("details", has=page.get_by_role("heading", name="Pinned"))
    expect(pinned.locator(".plot-title")).to_have_text(["optim/lr"])
    expect(page.locator(".overview-chart .plot-title").first).to_have_text("optim/lr")
    loss = watched.figure("loss")
    watched.wait_until_drawn(loss.locator("canvas"))
    before = loss.bounding_box()["width"]
    loss.get_by_role("button", name="Full screen: loss").click()
    watched.wait_for_address("chart=loss")
    dialog = page.get_by_role("dialog", name="loss")
    expect(dialog).to_be_visible()
    watched.wait_until(lambda: dialog.locator(".plot-box").bounding_box()["height"] > 600)
    files = {one: download(page, dialog, one) for one in ("CSV", "JSON", "PNG", "SVG")}
    rows = files["CSV"].decode().splitlines()
    assert rows[0] == "step,loss (TRAIN),loss (EVAL)"
    assert rows[1] == "0,2," and rows[1 + FIRST_NAN] == f"{FIRST_NAN},NaN,"
    assert len(rows) == 1 + STEPS
    series = json.loads(files["JSON"])["series"]
    assert series[1]["points"][0] == {"step": 9, "value": pytest.approx(0.2)}
    assert files["PNG"].startswith(b"\x89PNG") and len(files["PNG"]) > 5000
    picture = ElementTree.fromstring(files["SVG"])
    assert "loss" in [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    page.keyboard.press("Escape")
    watched.wait_for_address("!chart=")
    expect(dialog).to_have_count(0)
    watched.wait_until(lambda: loss.bounding_box()["width"] == before)


def download(page, place, kind: str) -> bytes:
    place.get_by_role("button", name="Download loss").click()
    with page.expect_download() as coming:
        place.get_by_role("menuitem", name=kind, exact=True).click()
    assert coming.value.suggested_filename == f"{DIVERGED}-loss.{kind.lower()}"
    return Path(coming.value.path()).read_bytes()


def test_steps_are_counted_as_the_training_does(unhappy, open_page):
    """By optimizer steps and epochs, where the run has them; and outliers are clipped."""
    watched = open_charts(unhappy, open_page)
    page = watched.page
    bar = page.get_by_role("group", name="Charts", exact=True)
    accuracy = watched.figure("accuracy")
    bar.get_by_label("X axis").select_option("Epoch")
    watched.wait_for_address("x=epoch")
    watched.wait_until(lambda: any("ExplodingTensor" in one for one in flags_of(accuracy)))
    epochs = columns_of(accuracy)
    expect(epochs.nth(0)).to_have_text("1")
    expect(epochs.nth(1)).to_have_text("1.02")  # Of 50 steps.
    bar.get_by_label("X axis").select_option("Optimizer step")
    expect(accuracy.locator("tbody th").nth(3)).to_have_text("4")
    expect(accuracy.locator("thead th").first).to_have_text("Optimizer step")
    bar.get_by_label("Average").select_option("Window of steps")
    bar.get_by_label("Smoothing").fill("20")
    watched.wait_for_address("x=optimizer", "window=20", "!smooth=")
    bar.get_by_label("Clip outliers").check()
    watched.wait_for_address("clip=1")
    page.reload()
    expect(bar.get_by_label("Clip outliers")).to_be_checked()
    expect(bar.get_by_label("Smoothing")).to_have_value("20")
    expect(bar.get_by_label("X axis")).to_have_value("optimizer")
