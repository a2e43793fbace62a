"""Every panel in both themes and on a phone: readable, named, no wider than the screen."""

import pytest
from browsing import PANELS, PHONE, panel_of, run_named
from playwright.sync_api import expect

# Of the run that has something in every panel.
READY = {
    "overview": ".overview-chart canvas",
    "tensors": ".plot-box canvas",
    "layers": ".heat-box canvas",
    "compare": ".compare-table canvas",
    "system": ".plot-box canvas",
    "profiler": ".profiler figure.chart",
    "timeline": ".timeline-slices",
    "reports": "iframe",
    "logs": ".logs-line",
}
TABS = ["series", "distribution", "values", "activation"]


def addresses(recorded) -> dict[str, str]:
    """Every place of the dashboard, and what is there when it is ready."""
    other = {"compare": {"b": run_named(recorded, "broken")}}
    places = {
        panel_of(recorded, "images", panel, **other.get(panel, {})): READY[panel]
        for panel in PANELS
    }
    for tab in TABS:
        tensor = "ShapeNet_attention.query.weight"
        address = panel_of(recorded, "images", "tensors", tensor=tensor, tab=tab)
        places[address] = ".tensors-body canvas"
    places[panel_of(recorded, "xgb_binary", "reports")] = READY["reports"]
    places[panel_of(recorded, "broken", "overview")] = ".overview-incident h3"
    places[panel_of(recorded, "images", "timeline", tab="statistics")] = ".timeline-pane td"
    places["#/runs"] = "a.runs-name"
    return places


def brightness(page, name: str) -> float:
    colour = page.locator("body").evaluate(f"body => getComputedStyle(body).{name}")
    red, green, blue = (int(part) for part in colour.split("(")[1].strip(")").split(",")[:3])
    return 0.3 * red + 0.6 * green + 0.1 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_panel_passes_axe(recorded, open_page, scheme):
    watched = open_page(recorded, color_scheme=scheme)
    wrong = []
    for address, ready in addresses(recorded).items():
        watched.go(address)
        watched.page.locator(ready).first.wait_for()
        watched.settled()
        wrong += watched.check_accessibility()
    assert wrong == []
    dark = brightness(watched.page, "backgroundColor") < 60 < brightness(watched.page, "color")
    assert dark == (scheme == "dark")


def test_every_panel_fits_a_phone(recorded, open_page):
    watched = open_page(recorded, **PHONE)
    page = watched.page
    wrong = []
    for address, ready in addresses(recorded).items():
        watched.go(address)
        page.locator(ready).first.wait_for()
        watched.settled()
        assert watched.sideways() <= 0, address
        title = page.get_by_role("heading", level=1)
        expect(title).to_be_attached()
        wrong += watched.check_accessibility()
    assert wrong == []


def test_a_phone_is_enough(recorded, open_page):
    watched = open_page(recorded, **PHONE)
    page = watched.page
    page.locator("a.runs-name", has_text="images").tap()
    panels = page.get_by_role("navigation", name="Panels of this run")
    panels.get_by_role("link", name="Tensors").tap()
    page.locator("summary", has_text="All tensors").tap()
    page.get_by_label("Find tensors").fill("answer.weight")
    page.get_by_role("treeitem", name="ShapeNet_answer.weight", exact=True).tap()
    watched.wait_for_address("tensor=ShapeNet_answer.weight")
    watched.wait_until_drawn(page.locator(".plot-box canvas"))
    panels.get_by_role("link", name="System").tap()
    expect(page.get_by_role("table", name="Utilization of each node")).to_be_visible()
    page.get_by_role("button", name="Control").tap()
    expect(page.get_by_role("button", name="Stop …")).to_be_visible()
    panels.get_by_role("link", name="Timeline").tap()
    page.get_by_role("button", name="Zoom in (w)").tap()
    watched.wait_for_address("from=")
    assert watched.sideways() <= 0


def test_the_theme_is_chosen_and_kept(recorded, open_page):
    watched = open_page(recorded, color_scheme="light")
    page = watched.page
    page.get_by_role("button", name="Use dark colors").click()
    watched.wait_until(lambda: brightness(page, "backgroundColor") < 60)
    page.reload()
    expect(page.get_by_role("button", name="Use light colors")).to_be_visible()
    assert brightness(page, "backgroundColor") < 60
