"""The profiling report in a browser: what is drawn, and that nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

KINDS = ["full", "empty", "hostile", "running"]

# Charts of which nothing that takes up room was drawn.
UNDRAWN = """
() => [...document.querySelectorAll('figure.chart')].filter((figure) => {
  const marks = [...figure.querySelectorAll('.plot .mark')];
  return !marks.some((mark) => {
    const box = mark.getBoundingClientRect();
    if (box.width + box.height < 2) return false;
    if (!(mark instanceof HTMLCanvasElement)) return true;
    const pixels = mark.getContext('2d').getImageData(0, 0, mark.width, mark.height).data;
    return pixels.some((value) => value !== 0);
  });
}).map((figure) => figure.querySelector('figcaption').textContent)
"""


class Visit:
    """A page that is open, with all that it complained about and asked for."""

    def __init__(self, browser: Browser, path: Path, **options: Any):
        self.context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        self.context.set_default_timeout(120_000)
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.url = path.as_uri()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: self.troubles.append(f"dialog {dialog.message}"))
        self.page.on("request", self._request)
        self.page.goto(self.url)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(message.text)

    def _request(self, request: Any) -> None:
        if request.url != self.url:
            self.troubles.append(f"request of {request.url}")


@pytest.fixture(scope="module")
def pages(tmp_path_factory, run_program) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    for kind in KINDS:
        run_program("report_sample", kind, folder / kind)
    return {kind: folder / kind / "profiler-output/profiler-report.html" for kind in KINDS}


@pytest.fixture
def visit(browser, pages) -> Iterator[Any]:
    visits = []

    def open_page(kind: str, **options: Any) -> Visit:
        visits.append(Visit(browser, pages[kind], **options))
        return visits[-1]

    yield open_page
    for one in visits:
        one.context.close()
    assert [trouble for one in visits for trouble in one.troubles] == []


def brightness(page: Page, selector: str, what: str) -> float:
    colour = page.eval_on_selector(selector, f"element => getComputedStyle(element).{what}")
    red, green, blue = (float(part) for part in colour.split("(")[1].split(")")[0].split(",")[:3])
    return (red + green + blue) / 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_chart_is_drawn(visit, kind, scheme):
    page = visit(kind, color_scheme=scheme).page
    charts = page.locator("figure.chart").count()
    assert charts == 0 if kind == "empty" else charts > 25
    assert page.evaluate(UNDRAWN) == []


def test_a_chart_without_marks_is_noticed(visit):
    page = visit("full").page
    page.evaluate("document.querySelectorAll('#job .mark').forEach((mark) => mark.remove())")
    assert page.evaluate(UNDRAWN) == ["Job time"]


def test_colours_follow_the_system_and_the_button(visit):
    dark = visit("full", color_scheme="dark").page
    light = visit("full", color_scheme="light").page
    assert brightness(dark, "body", "backgroundColor") < 60
    assert brightness(dark, "h1", "color") > 200
    assert brightness(light, "body", "backgroundColor") > 200
    assert brightness(light, "h1", "color") < 60
    for page, expected in ((dark, "light"), (light, "dark")):
        page.get_by_role("button", name=f"Use {expected} colors").click()
        bright = brightness(page, "body", "backgroundColor") > 128
        assert bright == (expected == "light")


def test_a_choice_of_colours_is_kept(visit):
    page = visit("full", color_scheme="light").page
    page.get_by_role("button", name="Use dark colors").click()
    page.reload()
    assert brightness(page, "body", "backgroundColor") < 60


def test_print_is_light_and_has_no_controls(visit):
    page = visit("full", color_scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    assert brightness(page, "h2", "color") < 60
    for selector in ("nav.contents", ".controls", "details", ".more"):
        assert not page.locator(selector).first.is_visible(), selector
    assert page.evaluate(UNDRAWN) == []
    assert page.pdf(format="A4")[:5] == b"%PDF-"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [320, 390, 800])
def test_narrow_pages_do_not_scroll_sideways(visit, kind, width):
    page = visit(kind, viewport={"width": width, "height": 800}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(UNDRAWN) == []


def test_charts_fit_a_window_that_changes(visit):
    page = visit("full").page
    page.set_viewport_size({"width": 480, "height": 800})
    page.wait_for_function("document.querySelector('figure.lines svg').viewBox.baseVal.width < 480")
    assert page.evaluate(UNDRAWN) == []


def test_text_and_charts_are_there_without_scripts(visit):
    page = visit("full", java_script_enabled=False).page
    assert page.locator("#job > .table").first.is_visible()
    assert "job_duration_in_seconds" in page.locator("#job").inner_text()
    assert page.locator("#framework table tbody tr").nth(59).is_visible()
    details = page.locator("#system details").first
    details.locator("summary").click()
    assert details.locator("td").first.is_visible()
    assert not page.locator(".plot").first.is_visible()


def test_tables_are_sorted_by_their_columns(visit):
    page = visit("full").page
    table = page.locator("#operators-cpu table")
    button = table.get_by_role("button", name="operator")
    button.click()
    heading = table.get_by_role("columnheader", name="operator")
    assert heading.get_attribute("aria-sort") == "ascending"
    names = table.locator("tbody tr td:nth-child(4)").all_text_contents()
    # As people count: op_2 before op_10.
    assert names[:4] == ["aten::conv2d", "aten::op_1", "aten::op_2", "aten::op_3"]
    button.click()
    names = table.locator("tbody tr td:nth-child(4)").all_text_contents()
    assert names[0] == "aten::op_59"
    table.get_by_role("button", name="total time").click()
    times = table.locator("tbody tr td:nth-child(3)").all_text_contents()
    numbers = [float(time.replace(",", "")) for time in times]
    assert numbers == sorted(numbers, reverse=True)


def test_long_tables_are_shown_in_part(visit):
    page = visit("full").page
    rows = page.locator("#operators-cpu tbody tr")
    assert rows.count() == 60
    assert rows.nth(14).is_visible()
    assert not rows.nth(15).is_visible()
    page.locator("#operators-cpu .more").click()
    assert rows.nth(59).is_visible()


def test_the_legend_switches_series(visit):
    page = visit("full").page
    chart = page.locator("#steps > .charts figure.histogram")
    assert chart.locator(".mark").count() == 2
    chart.get_by_role("button", name="algo-2").click()
    assert chart.locator(".mark").count() == 1
    assert chart.get_by_role("button", name="algo-2").get_attribute("aria-pressed") == "false"
    chart.get_by_role("button", name="algo-2").click()
    assert chart.locator(".mark").count() == 2


def test_a_part_of_a_line_is_enlarged_and_shown_whole_again(visit):
    page = visit("full").page
    chart = page.locator("#system figure.lines").first
    chart.scroll_into_view_if_needed()
    whole = chart.locator(".line").first.get_attribute("d")
    box = chart.locator("svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 60, steps=4)
    page.mouse.up()
    assert chart.locator(".line").first.get_attribute("d") != whole
    chart.get_by_role("button", name="Show all").click()
    assert chart.locator(".line").first.get_attribute("d") == whole
    chart.locator("svg").focus()
    page.keyboard.press("+")
    assert chart.locator(".line").first.get_attribute("d") != whole
    page.keyboard.press("Escape")
    assert chart.locator(".line").first.get_attribute("d") == whole


def test_pointing_at_a_chart_tells_its_values(visit):
    page = visit("full").page
    for selector in ("figure.lines svg", "figure.heatmap canvas.mark", "figure.histogram svg"):
        target = page.locator(selector).first
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.6)
        page.locator(".tip").wait_for()
        assert "%" in page.locator(".tip").inner_text(), selector


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_maps_of_ranks_have_a_field_to_choose_one(visit, scheme):
    page = visit("full", color_scheme=scheme).page
    maps = page.locator("#ranks figure.heatmap")
    assert maps.locator("figcaption").all_inner_texts() == ["Step time", "Loss: loss_output_0"]
    chart = maps.first
    chart.scroll_into_view_if_needed()

    def tip_at(part: float) -> str:
        box = chart.locator("canvas.mark").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.51, box["y"] + box["height"] * part)
        page.locator(".tip").wait_for()
        return page.locator(".tip").inner_text()

    assert tip_at(7.5 / 20) == "worker_7: 200 ms\nstep 250"
    chart.get_by_label("Rank").select_option("worker_7")
    assert tip_at(0.25).startswith("worker_7: 200 ms")
    assert tip_at(0.75).startswith("median of all: 111 ms")
    chart.get_by_label("Rank").select_option("All")
    assert tip_at(0.5 / 20).startswith("worker_0: 100 ms")
    assert "NaN or infinite" in maps.nth(1).locator(".ramp").inner_text()
    assert "NaN" not in chart.locator(".ramp").inner_text()


def test_a_running_job_is_loaded_again_at_the_same_place(visit, pages):
    one = visit("running")
    page = one.page
    page.clock.install()
    page.reload()
    assert "Still running" in page.locator("header").inner_text()
    page.evaluate("scrollTo({top: 2000, behavior: 'instant'})")
    page.evaluate("window.beforeReload = true")
    with page.expect_event("load"):
        page.clock.fast_forward(31_000)
    assert page.evaluate("window.beforeReload") is None
    page.wait_for_function("Math.abs(scrollY - 2000) < 5")
    page.get_by_role("button", name="Pause updates").click()
    page.evaluate("window.beforeReload = true")
    page.clock.fast_forward(31_000)
    assert page.evaluate("window.beforeReload") is True


def test_a_finished_job_is_not_loaded_again(visit):
    page = visit("full").page
    assert page.locator("header button").count() == 1
    assert page.locator("meta[http-equiv=refresh]").count() == 0


def test_the_page_can_be_read_without_seeing_it(visit):
    page = visit("full").page
    for role in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(role).count() == 1, role
    levels = page.eval_on_selector_all("h1, h2, h3", "all => all.map(one => +one.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(levels, levels[1:]))
    assert page.locator("thead th:not([scope=col])").count() == 0
    labels = page.eval_on_selector_all(".plot", "all => all.map(one => one.ariaLabel)")
    assert all(len(label) > 20 for label in labels)
    unnamed = page.eval_on_selector_all(
        "button", "all => all.filter(one => !(one.ariaLabel || one.textContent.trim())).length"
    )
    assert unnamed == 0
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"


def test_names_stay_text(visit):
    page = visit("hostile").page
    assert page.locator("img").count() == 0
    assert "<img src=x onerror=alert(2)>" in page.locator("header").inner_text()
