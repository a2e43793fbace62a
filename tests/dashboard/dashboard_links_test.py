"""A copied address restores the view: what was chosen, searched, opened and zoomed."""

from browsing import panel_of
from playwright.sync_api import expect
from unhappy import DIVERGED


def test_addresses_restore_what_was_chosen(open_page, recorded):
    watched = open_page(recorded, panel_of(recorded, "broken", "overview"))
    page = watched.page

    page.get_by_text("All findings").click()
    watched.wait_for_address("findings=all")
    overview = watched.address()

    watched.open_panel("Tensors")
    page.get_by_label("Find tensors").fill("ShapeNet.*weight")
    page.get_by_text("26 found").wait_for()
    page.get_by_role("treeitem").filter(has_text="weight").first.click()
    watched.wait_for_address("find=ShapeNet", "!CrossEntropyLoss")
    tensors = watched.address()

    watched.open_panel("Layers")
    page.get_by_label("Collection").select_option("weights")
    page.get_by_label("Statistic").select_option("abs_max")
    watched.wait_for_address("statistic=abs_max", "collection=weights")
    layers = watched.address()

    watched.open_panel("Logs")
    page.get_by_label("Search").fill("epoch")
    watched.wait_for_address("q=epoch")
    logs = watched.address()

    # In the window of a colleague.
    other = open_page(recorded, overview)
    expect(other.page.locator("details.overview-findings")).to_have_attribute("open", "")
    other.go(tensors)
    expect(other.page.get_by_label("Find tensors")).to_have_value("ShapeNet.*weight")
    expect(other.page.get_by_role("treeitem", selected=True)).to_contain_text("weight")
    other.go(layers)
    expect(other.page.get_by_label("Statistic")).to_have_value("abs_max")
    expect(other.page.get_by_label("Collection")).to_have_value("weights")
    other.go(logs)
    expect(other.page.get_by_label("Search")).to_have_value("epoch")
    # Back and forward, too.
    other.page.go_back()
    other.page.go_back()
    expect(other.page.get_by_label("Find tensors")).to_have_value("ShapeNet.*weight")


def test_hidden_series_stay_hidden(open_page, unhappy):
    watched = open_page(unhappy, panel_of(unhappy, DIVERGED, "overview"))
    watched.figure("loss").locator(".plot-legend button", has_text="EVAL").click()
    watched.wait_for_address("hide=loss+%28EVAL%29")
    other = open_page(unhappy, watched.address())
    entries = other.figure("loss").locator(".plot-legend button")
    expect(entries.filter(has_text="EVAL")).to_have_attribute("aria-pressed", "false")
    expect(entries.filter(has_text="TRAIN")).to_have_attribute("aria-pressed", "true")
    entries.filter(has_text="EVAL").click()
    other.wait_for_address("!hide=")
    watched.page.reload()
    expect(watched.figure("loss").locator(".plot-legend [aria-pressed=false]")).to_have_count(1)
