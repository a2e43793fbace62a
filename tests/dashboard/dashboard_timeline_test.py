"""The timeline of a recorded run: seen, searched, walked through by keys, exported."""

import gzip
import json

import pytest
from browsing import ask, panel_of, reads_as, run_named
from playwright.sync_api import expect

WORD = "ShapeNet"  # The name of every forward pass.


@pytest.fixture
def timeline(recorded, open_page):
    """The page, and what the API says of the timeline."""
    watched = open_page(recorded, panel_of(recorded, "images", "timeline"))
    watched.page.get_by_role("application", name="Timeline").wait_for()
    return watched, ask(recorded, f"runs/{run_named(recorded, 'images')}/timeline")


def window(watched) -> tuple[float, float]:
    """From and to, in microseconds, as the address has them."""
    params = dict(pair.split("=") for pair in watched.address().split("?")[1].split("&"))
    return float(params["from"]), float(params["to"])


def test_it_is_drawn_and_counts_its_events(timeline):
    watched, info = timeline
    expect(watched.page.locator(".timeline-state")).to_have_text(f"{info['events']:,} events")
    canvases = watched.page.locator(".timeline canvas")
    assert canvases.count() >= 2
    watched.wait_until_drawn(watched.page.locator(".timeline-slices"))
    for track in {track["name"] for track in info["tracks"]}:
        expect(watched.page.get_by_role("group", name="Tracks")).to_contain_text(track)


def test_search_selects_and_the_link_brings_it_back(timeline, recorded):
    watched, _ = timeline
    page = watched.page
    run = run_named(recorded, "images")
    page.keyboard.press("/")
    expect(page.get_by_label("Search events")).to_be_focused()
    page.keyboard.type(WORD)
    hits = ask(recorded, f"runs/{run}/timeline/search?q={WORD}&limit=500")
    expect(page.get_by_text(f"{hits['total']:,} found")).to_be_visible()
    page.keyboard.press("Enter")
    watched.wait_for_address("event=")
    page.get_by_role("tab", name="Search").click()
    rows = page.get_by_role("tabpanel", name="Search").locator("tbody tr")
    expect(rows).to_have_count(min(500, len(hits["hits"])))
    rows.nth(1).get_by_role("button").click()
    event = hits["hits"][1]
    watched.wait_for_address(f"event={event['id']}")
    page.get_by_role("tab", name="Selection").click()
    chosen = page.get_by_role("tabpanel", name="Selection")
    expect(chosen.get_by_role("heading")).to_have_text(event["name"])
    told = ask(recorded, f"runs/{run}/timeline/event?id={event['id']}")
    facts = dict(zip(*(chosen.locator(tag).all_inner_texts() for tag in ("dt", "dd")), strict=True))
    assert facts["Step"] == str(told["step"])
    number, unit = facts["Duration"].split()
    assert reads_as(number, told["duration"] / {"ms": 1e3, "s": 1e6}[unit])
    page.reload()
    expect(chosen.get_by_role("heading")).to_have_text(event["name"])
    expect(page.get_by_label("Search events")).to_have_value(WORD)


def test_keys_move_and_enlarge(timeline):
    watched, info = timeline
    page = watched.page
    page.get_by_role("application", name="Timeline").focus()
    page.keyboard.press("w")
    watched.wait_for_address("from=", "to=")
    first = window(watched)
    assert first[1] - first[0] < info["end"] - info["start"]
    before = watched.address()
    page.keyboard.press("d")
    page.wait_for_function("before => location.hash !== before", arg=before)
    moved = window(watched)
    assert moved[0] > first[0] and abs((moved[1] - moved[0]) - (first[1] - first[0])) < 2
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("s")
    page.keyboard.press("Home")
    watched.wait_for_address("!from=")
    # An event by its neighbours alone, then as large as the window.
    page.keyboard.press(".")
    watched.wait_for_address("event=")
    page.keyboard.press("f")
    watched.wait_for_address("from=")
    page.keyboard.press("Escape")
    watched.wait_for_address("!event=")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_keys_work_after_a_click_on_the_tab_and_zoom_at_the_pointer(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "overview"))
    page = watched.page
    watched.open_panel("Timeline")
    watched.wait_until_drawn(page.locator(".timeline-slices"))
    box = page.get_by_role("application", name="Timeline").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    page.keyboard.press("w")
    watched.wait_for_address("from=", "to=")
    info = ask(recorded, f"runs/{run_named(recorded, 'images')}/timeline")
    length = info["end"] - info["start"]
    first, last = window(watched)
    # What was at the right edge stays there.
    assert first > 0.1 * length and abs(last - length) < 0.02 * length


def test_a_click_selects_and_a_wheel_enlarges(timeline):
    watched, _ = timeline
    page = watched.page
    stage = page.get_by_role("application", name="Timeline")
    watched.wait_until_drawn(page.locator(".timeline-slices"))
    page.get_by_label("Search events").fill("Initialization")
    page.get_by_label("Search events").press("Enter")
    watched.wait_for_address("event=")
    stage.focus()
    page.keyboard.press("f")
    watched.wait_for_address("from=")
    page.keyboard.press("Escape")
    watched.wait_for_address("!event=")
    # It is at the left of the window now, in one of the rows.
    box = stage.bounding_box()
    across = box["x"] + box["width"] / 4
    tip = page.locator(".timeline-tip")
    for down in range(8, int(box["height"]), 10):
        page.mouse.move(across, box["y"] + down)
        if tip.is_visible() and "Initialization" in tip.inner_text():
            break
    page.mouse.click(across, box["y"] + down)
    chosen = page.get_by_role("tabpanel", name="Selection").get_by_role("heading")
    expect(chosen).to_have_text("Initialization")
    before, address = window(watched), watched.address()
    page.mouse.move(across, box["y"] + 40)
    page.mouse.wheel(0, -300)
    page.wait_for_function("before => location.hash !== before", arg=address)
    assert window(watched)[1] - window(watched)[0] < before[1] - before[0]
    # What was under the pointer moves away, and the words about it with it.
    page.mouse.move(across, box["y"] + down)
    expect(tip).to_contain_text("Initialization")
    page.keyboard.press("d")
    expect(tip).to_be_hidden()


def test_statistics_are_those_of_the_window(timeline, recorded):
    watched, info = timeline
    page = watched.page
    page.get_by_role("tab", name="Statistics").click()
    run = run_named(recorded, "images")
    end = info["end"] - info["start"]
    rows = ask(recorded, f"runs/{run}/timeline/statistics?from=0&to={end}")["rows"]
    panel = page.get_by_role("tabpanel", name="Statistics")
    first = panel.locator("tbody tr").first
    expect(first).to_contain_text(rows[0]["name"])
    expect(first).to_contain_text(f"{rows[0]['count']:,}")
    watched.wait_for_address("tab=statistics")
    page.get_by_role("tab", name="Visible events").click()
    expect(page.get_by_role("tabpanel", name="Visible events")).not_to_be_empty()


def test_the_trace_is_exported(timeline, recorded):
    watched, info = timeline
    page = watched.page
    page.get_by_role("button", name="Open in Perfetto").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the trace").click()
    assert download.value.suggested_filename == "images.trace.json.gz"
    trace = json.loads(gzip.decompress(download.value.path().read_bytes()))
    events = trace if isinstance(trace, list) else trace["traceEvents"]
    assert sum(event["ph"] == "X" for event in events) == info["events"]
