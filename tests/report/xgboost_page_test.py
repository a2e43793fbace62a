"""The XGBoost report in a browser: what is drawn, and that nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from report_page_test import UNDRAWN, Visit, brightness
from xgboost_runs import BINARY, MULTICLASS, REGRESSION, predicted, train, write_run

MARKUP = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
CHARTS = {"binary": 11, "multiclass": 11, "regression": 10, "hostile": 5, "bare": 1}


def hostile_run(folder: Path) -> Path:
    """Names that try to be markup, numbers that are none, classes far apart."""
    labels = np.array([0, 1, 3e9, -7, np.nan, 1], np.float32)
    steps = predicted(labels, [labels, labels[::-1]], objective="multi:softmax")
    for step, tensors in steps.items():
        tensors[f"{MARKUP}-rmse"] = np.float64(1e308 if step else np.inf)
        tensors["train-rmse"] = np.float64(-1e308)
        for feature, share in ((MARKUP, 0.9), ("\u202e<!--", 0.1), ("zero", 0.0)):
            tensors[f"feature_importance/gain/{feature}"] = np.float64(share)
    steps[0][f"hyperparameters/{MARKUP}"] = MARKUP
    return write_run(folder, steps)


@pytest.fixture(scope="module")
def pages(tmp_path_factory, run_program) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    runs = {
        "binary": train(folder / "binary", BINARY, 40),
        "multiclass": train(folder / "multiclass", MULTICLASS, 30),
        "regression": train(folder / "regression", REGRESSION, 40),
        "hostile": hostile_run(folder / "hostile"),
        "bare": write_run(folder / "bare", {0: {"train-rmse": np.float64(1)}}),
    }
    for run in runs.values():
        run_program("warden", "report", "xgboost", run)
    page = "rule-output/CreateXgboostReport/xgboost_report.html"
    return {kind: run / page for kind, run in runs.items()}


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


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_chart_is_drawn(visit, kind, scheme):
    page = visit(kind, color_scheme=scheme).page
    assert page.locator("figure.chart").count() == CHARTS[kind]
    assert page.evaluate(UNDRAWN) == []
    assert (brightness(page, "body", "backgroundColor") < 60) == (scheme == "dark")


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize("width", [320, 800])
def test_narrow_pages_do_not_scroll_sideways(visit, kind, width):
    page = visit(kind, viewport={"width": width, "height": 800}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(UNDRAWN) == []


def test_the_handle_moves_the_threshold(visit):
    page = visit("binary").page
    handle = page.get_by_role("slider")
    outcome = page.locator("#roc .outcome")
    best = outcome.inner_text()
    dot = page.locator("#roc .chosen")
    place = dot.get_attribute("cx")
    handle.focus()
    page.keyboard.press("Home")
    assert "above all scores" in outcome.inner_text()
    assert handle.get_attribute("aria-valuetext") == "above all scores"
    assert dot.get_attribute("cx") != place
    page.keyboard.press("End")
    assert "100 %" in outcome.inner_text()
    page.get_by_role("button", name="Best", exact=True).click()
    assert outcome.inner_text() == best


def test_cells_of_the_matrix_have_counts_and_shares(visit, pages):
    page = visit("binary").page
    cells = page.locator("#confusion .cell")
    assert cells.count() == 4
    shown = sum(int(count.replace(",", "")) for count in page.locator(".count").all_text_contents())
    assert shown == 500
    cells.nth(1).hover()
    page.locator(".tip").wait_for()
    assert "label 0, predicted 1" in page.locator(".tip").inner_text()


def test_lines_tell_the_step(visit):
    page = visit("regression").page
    target = page.locator("#loss figure.lines svg").first
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    page.locator(".tip").wait_for()
    assert page.locator(".tip").inner_text().startswith("step ")


def test_all_features_are_shown_on_demand_and_sorted(visit):
    page = visit("binary").page
    table = page.locator("#importance > .table table")
    table.get_by_role("button", name="feature").click()
    names = table.locator("tbody th, tbody td:first-child").all_text_contents()
    assert names == sorted(names)
    assert len(names) == 6


def test_print_is_light(visit):
    page = visit("multiclass", color_scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    assert brightness(page, "h2", "color") < 60
    assert page.evaluate(UNDRAWN) == []


def test_text_and_charts_are_there_without_scripts(visit):
    page = visit("binary", java_script_enabled=False).page
    assert "objective" in page.locator("#job").inner_text()
    assert "weighted" in page.locator("#evaluation").inner_text()
    page.locator("#confusion details summary").click()
    assert page.locator("#confusion details td").first.is_visible()


@pytest.mark.parametrize("kind", ["binary", "regression"])
def test_the_page_can_be_read_without_seeing_it(visit, kind):
    page = visit(kind).page
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
        "button, input",
        "all => all.filter(one => !(one.ariaLabel || one.textContent.trim() || "
        "(one.labels && one.labels.length))).length",
    )
    assert unnamed == 0
    links = page.eval_on_selector_all("a[href^='#']", "all => all.map(one => one.hash)")
    assert [link for link in links if page.locator(link).count() != 1] == []


def test_names_stay_text(visit):
    page = visit("hostile").page
    assert page.locator("img").count() == 0
    assert MARKUP in page.locator("#job").inner_text()


def test_what_was_not_saved_is_named(visit):
    page = visit("bare").page
    text = page.locator("main").inner_text()
    for collection in ("“labels”", "“predictions”", "“feature_importance”", "“hyperparameters”"):
        assert collection in text
