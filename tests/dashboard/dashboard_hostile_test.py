"""A run whose names try to be more than text: they are shown, and nothing is executed."""

from urllib.parse import quote

import pytest
from browsing import PANELS, panel_of
from playwright.sync_api import expect
from recorded import HOSTILE_NAMES, HOSTILE_RUN, MARKUP, QUOTES


@pytest.fixture
def hostile(recorded, open_page):
    """A page, and what opens a panel of the run in it. At the end nothing has been executed, and
    no name has become an element."""
    watched = open_page(recorded)

    def open_panel(panel: str, **params) -> None:
        watched.go(panel_of(recorded, HOSTILE_RUN, panel, **params))
        expect(watched.page.get_by_role("heading", level=1)).to_have_text(HOSTILE_RUN)
        watched.settled()
        # Neither does a name of 10,000 characters make the page wider.
        assert watched.sideways() <= 0

    yield watched, open_panel
    assert watched.page.evaluate("typeof hacked") == "undefined"
    assert watched.page.locator("img[src=x], script:not([src])").count() == 0


def test_every_panel_shows_its_name_as_text(hostile):
    watched, open_panel = hostile
    for panel in PANELS:
        open_panel(panel)
        expect(watched.page.locator(".run-tabs [aria-current]")).to_have_text(panel.capitalize())


def test_the_list_shows_it_as_text(recorded, open_page):
    page = open_page(recorded).page
    expect(page.locator("a.runs-name", has_text=HOSTILE_RUN)).to_have_count(1)
    page.get_by_label("Search runs").fill(HOSTILE_RUN)
    expect(
        page.get_by_role("heading", name="No runs match").or_(
            page.locator("a.runs-name", has_text=HOSTILE_RUN)
        )
    ).to_be_visible()
    assert page.evaluate("typeof hacked") == "undefined"


def wait_for_chip(watched, name: str) -> None:
    """Until the tensor of that name is the selected one, character by character."""
    chips = watched.page.locator(".tensors-chip-name")
    watched.wait_until(lambda: chips.evaluate_all("all => all.map((c) => c.textContent)") == [name])


@pytest.mark.parametrize("tab", ["series", "distribution", "values"])
def test_tensors_are_named_by_text(hostile, tab):
    watched, open_panel = hostile
    page = watched.page
    for name in HOSTILE_NAMES:
        open_panel("tensors", tensor=name, tab=tab, step=0)
        wait_for_chip(watched, name)
        if tab == "values":
            expect(page.locator(".tensors-facts")).to_contain_text("4 \u00d7 3")
        else:
            watched.wait_until_drawn(page.get_by_role("tabpanel").locator("canvas"))
        expect(page.get_by_role("alert")).to_have_count(0)


def test_findings_name_them_by_text(hostile):
    watched, open_panel = hostile
    page = watched.page
    open_panel("overview")
    expect(page.locator(".overview-headline").first).to_contain_text("NaN")
    page.get_by_text("All findings").click()
    page.get_by_role("button", name="Show 1 more").click()
    names = page.locator(".overview-finding code")
    expect(names).to_have_count(4)
    found = names.evaluate_all("all => all.map((one) => one.textContent)")
    assert sorted(found) == sorted(HOSTILE_NAMES)
    link = page.locator(".overview-finding", has_text=MARKUP).get_by_role("link").first
    link.click()
    watched.wait_for_address("/tensors?")
    expect(page.locator(".tensors-chip-name")).to_have_text(MARKUP)


def test_events_are_named_by_text(hostile):
    watched, open_panel = hostile
    page = watched.page
    open_panel("timeline", tab="events")
    listed = page.get_by_role("tabpanel", name="Visible events")
    listed.get_by_role("button", name=MARKUP).click()
    watched.wait_for_address("event=")
    page.get_by_role("tab", name="Selection").click()
    chosen = page.get_by_role("tabpanel", name="Selection")
    expect(chosen.get_by_role("heading")).to_have_text(MARKUP)
    expect(chosen.locator("table")).to_contain_text(QUOTES)
    expect(chosen.locator("table")).to_contain_text(MARKUP)


def test_a_parameter_of_the_address_is_text_too(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "tensors", tensor=MARKUP))
    watched.forgives = lambda url: "tensor=" in url
    expect(watched.page.locator(".tensors-chip-name")).to_have_text(MARKUP)
    watched.go(panel_of(recorded, "images", quote(MARKUP, safe="")))
    expect(watched.page.get_by_role("heading", level=2)).to_contain_text(MARKUP)
    assert watched.page.evaluate("typeof hacked") == "undefined"
