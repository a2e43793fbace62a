"""Charts of the overview: every saved number, on one axis with the findings."""

import re

from browsing import panel_of
from playwright.sync_api import expect
from unhappy import DIVERGED, FIRST_NAN, STEPS


def open_charts(service, open_page, run: str = DIVERGED, **params):
    return open_page(service, panel_of(service, run, "overview", **params))


def flags_of(chart) -> list[str]:
    return chart.locator(".plot-flag").evaluate_all("all => all.map((one) => one.title)")


def columns_of(chart) -> list[str]:
    chart.get_by_role("button", name="Show table").click()
    return chart.locator("tbody th").all_inner_texts()


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
    page.get_by_role("heading", name="Observed in the training loop").click()
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
    steps = [int(step) for step in columns_of(chart)]
    assert steps == list(range(STEPS))


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
    first = columns_of(chart)[0]
    assert first.startswith("Jan 1, 12:00:00"), first
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
    loss.locator(".u-over").hover(position={"x": 200, "y": 40})
    at = loss.locator(".plot-at")
    expect(at).not_to_be_empty()
    expect(accuracy.locator(".plot-at")).to_have_text(at.inner_text())
    expect(accuracy.locator(".plot-line")).to_be_visible()
