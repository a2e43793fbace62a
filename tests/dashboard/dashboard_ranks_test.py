"""What the dashboard shows of a training of several processes."""

import pytest
from browsing import PHONE, panel_of
from playwright.sync_api import expect
from serving import Service

from support.rank_training import SLEEP
from support.ranks import train_ranks

RUN = "four"
SLOW = 2


@pytest.fixture(scope="module")
def ranks(tmp_path_factory) -> Service:
    folder = tmp_path_factory.mktemp("ranks")
    train_ranks(folder / "runs" / RUN, 4, f"{SLOW}:slow")
    train_ranks(folder / "runs" / "alone", 1)
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield service
    service.stop()


def milliseconds(cell) -> float:
    number, unit = cell.inner_text().split()
    return float(number) * {"µs": 0.001, "ms": 1, "s": 1000}[unit]


def test_the_table_shows_whom_the_others_wait_for(ranks, open_page):
    watched = open_page(ranks, panel_of(ranks, RUN, "overview"))
    page = watched.page
    watched.open_panel("Ranks")
    table = page.get_by_role("region", name="Time by rank")
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.locator("th a")).to_have_text([f"worker_{rank}" for rank in range(4)])
    expect(table.locator(".ranks-verdict")).to_contain_text(f"worker_{SLOW} is slower")
    expect(table.locator(".ranks-odd")).to_have_count(1)
    expect(rows.nth(SLOW)).to_contain_text("slow")
    # Step time, own work, waits for others, waits for data, clock.
    own = [milliseconds(rows.nth(rank).locator("td").nth(2)) for rank in (0, SLOW)]
    assert own[1] >= 1000 * SLEEP > own[0]
    waits = [milliseconds(rows.nth(rank).locator("td").nth(3)) for rank in (0, SLOW)]
    assert waits[0] > waits[1]
    expect(rows.nth(0).locator("td").last).to_have_text("reference")
    expect(rows.nth(1).locator("td").last).to_contain_text("±")
    assert watched.check_accessibility() == []
    # The charts of a rank.
    rows.nth(1).get_by_role("link", name="worker_1").click()
    watched.wait_for_address("/overview", "worker=worker_1")
    expect(page.get_by_role("combobox", name="Rank")).to_have_value("worker_1")


def test_the_heat_map_has_a_row_for_each_rank(ranks, open_page):
    watched = open_page(ranks, panel_of(ranks, RUN, "ranks"))
    page = watched.page
    card = page.get_by_role("region", name="Ranks by steps")
    watched.wait_until_drawn(card.locator("canvas"))
    show = card.get_by_role("combobox", name="Show")
    expect(show).to_have_value("step_seconds")
    show.select_option("own_seconds")
    watched.wait_for_address("of=own_seconds")
    heat = card.get_by_role("group", name="Own work")
    expect(heat).to_be_visible()
    watched.settled()
    heat.focus()
    for _ in range(3):
        heat.press("ArrowDown")
    said = card.locator("[aria-live=polite]")
    expect(said).to_contain_text(f"worker_{SLOW}:")
    expect(said).to_contain_text("step")
    heat.press("Enter")
    watched.wait_for_address("/tensors", "worker=worker_2", "tensor=training%2Fstep_seconds")
    page.go_back()
    expect(show).to_have_value("own_seconds")
    # Losses and gradients, too.
    labels = show.locator("option").all_inner_texts()
    assert any("loss" in label or "cross_entropy" in label for label in labels), labels
    show.select_option(label="Gradient norm")
    expect(card.get_by_role("group", name="Gradient norm")).to_be_visible()
    watched.wait_until_drawn(card.locator("canvas"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ranks_on_a_phone(ranks, open_page, scheme):
    watched = open_page(ranks, panel_of(ranks, RUN, "ranks"), **PHONE, color_scheme=scheme)
    page = watched.page
    watched.wait_until_drawn(page.get_by_role("region", name="Ranks by steps").locator("canvas"))
    assert watched.sideways() <= 0
    assert watched.check_accessibility() == []


def test_the_charts_show_the_rank_that_is_chosen(ranks, open_page):
    watched = open_page(ranks, panel_of(ranks, RUN, "overview"))
    page = watched.page
    choice = page.get_by_role("combobox", name="Rank")
    expect(choice).to_have_value("worker_0")
    with page.expect_request(lambda request: "worker=worker_3" in request.url):
        choice.select_option("worker_3")
    watched.wait_for_address("worker=worker_3")
    page.reload()
    expect(choice).to_have_value("worker_3")
    choice.select_option("worker_0")
    watched.wait_for_address("!worker=")


def test_a_run_with_one_worker_has_no_ranks(ranks, open_page):
    watched = open_page(ranks, panel_of(ranks, "alone", "overview"))
    page = watched.page
    panels = page.get_by_role("navigation", name="Panels of this run")
    expect(panels.get_by_role("link", name="Layers")).to_be_visible()
    expect(panels.get_by_role("link", name="Ranks")).to_be_hidden()
    expect(page.get_by_role("combobox", name="X axis")).to_be_visible()
    expect(page.get_by_role("combobox", name="Rank", exact=True)).to_be_hidden()
    watched.go(panel_of(ranks, "alone", "ranks"))
    expect(page.get_by_text("Only one worker saved data.")).to_be_visible()
