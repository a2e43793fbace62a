"""The heat map of all layers: a cell leads to its tensor and step."""

from browsing import panel_of, reads_as, run_named
from dashboard_tensors_test import columns
from playwright.sync_api import expect


def heatmap(service, run: str):
    path = f"runs/{run_named(service, run)}/heatmap"
    return columns(service, f"{path}?collection=gradients&statistic=abs_mean&columns=600")


def test_a_cell_leads_to_its_tensor_and_step(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "broken", "layers"))
    page = watched.page
    heat = watched.figure("Mean of absolute values, gradients")
    watched.wait_until_drawn(heat.locator("canvas").last)
    header, answer = heatmap(recorded, "broken")
    assert len(header["rows"]) > 10
    watched.settled()
    tip, corner = page.locator(".tip"), {}

    def pointed_at() -> bool:
        # Anew each time: the map moves while the page loads. The first layer at the top, the first
        # steps at the left.
        box = heat.locator(".heat-area").bounding_box()
        corner.update(x=box["x"] + 12, y=box["y"] + 5)
        page.mouse.move(**corner)
        return tip.is_visible() and "step 0" in tip.inner_text()

    watched.wait_until(pointed_at)
    told = tip.locator("div").first.inner_text()
    page.mouse.click(**corner)
    watched.wait_for_address("/tensors?", "step=0", "statistic=abs_mean")
    chosen = page.locator(".tensors-chip-name").first.inner_text()
    assert chosen.startswith("gradient/") and chosen.endswith(told.split(": ")[0])
    row = header["rows"].index(chosen)
    assert reads_as(told, answer["values"].reshape(len(header["rows"]), -1)[row][0])
    page.go_back()
    expect(page.get_by_role("slider", name="Step shown in the layer profile")).to_be_visible()
    page.go_forward()
    watched.wait_for_address("/tensors?", "step=0", "statistic=abs_mean")
    expect(page.locator(".tensors-chip-name").first).to_have_text(chosen)


def test_the_keyboard_walks_from_cell_to_cell(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "broken", "layers"))
    page = watched.page
    heat = watched.figure("Mean of absolute values, gradients")
    watched.wait_until_drawn(heat.locator("canvas").last)
    heat.locator(".heat-box").focus()
    told = heat.locator("[aria-live=polite]")
    page.keyboard.press("ArrowDown")
    expect(told).to_contain_text("step 0")
    first = told.inner_text()
    page.keyboard.press("ArrowDown")
    expect(told).not_to_have_text(first)
    expect(told).to_contain_text("step 0")
    name, value = told.inner_text().rsplit(", step", 1)[0].rsplit(": ", 1)
    header, answer = heatmap(recorded, "broken")
    row = next(at for at, full in enumerate(header["rows"]) if full.endswith(name))
    assert reads_as(value, answer["values"].reshape(len(header["rows"]), -1)[row][0])
    page.keyboard.press("Enter")
    watched.wait_for_address("/tensors?")
    expect(page.locator(".tensors-chip-name").first).to_have_text(header["rows"][row])


def test_statistic_and_names_are_chosen(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "layers"))
    page = watched.page
    page.get_by_label("Collection").select_option("weights")
    page.get_by_label("Statistic").select_option("l2")
    page.get_by_label("Name filter").fill("attention")
    page.get_by_label("Name filter").press("Enter")
    watched.wait_for_address("collection=weights", "statistic=l2", "match=attention")
    expect(page.locator(".common-note").first).to_contain_text("4 tensors")
    page.reload()
    expect(page.locator(".common-note").first).to_contain_text("4 tensors")
    smallest = page.get_by_role("table", name="Smallest").locator("tr")
    expect(smallest).to_have_count(4)
    smallest.first.get_by_role("button").click()
    watched.wait_for_address("/tensors?tensor=ShapeNet_attention")


def test_a_wrong_pattern_says_what_is_wrong(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "layers", match="(("))
    expect(watched.page.get_by_role("alert")).to_contain_text("nterminated")
