"""The profiler's panels of a run on two GPUs: pies, histograms, the timeline's tracks."""

import re

import pytest
from browsing import ask, panel_of, run_named
from gpu_profile import KERNELS, NAME, write_gpu_run
from playwright.sync_api import expect
from serving import Service


@pytest.fixture(scope="module")
def gpus(tmp_path_factory) -> Service:
    folder = tmp_path_factory.mktemp("gpus")
    write_gpu_run(folder / "runs" / NAME)
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield service
    service.stop()


# What each slice of a ring looks like; patterns differ by their class.
LOOKS = """
(ring) => [...ring.querySelectorAll('path.slice')].map((path) => {
  const { fill } = getComputedStyle(path);
  const pattern = /#([^")]+)/.exec(fill);
  const drawn = pattern && document.getElementById(pattern[1]);
  if (!drawn) return fill;
  const ground = getComputedStyle(drawn.querySelector('.ground')).fill;
  return `${ground} ${drawn.querySelector('.gap').tagName}`;
})
"""


def test_pies_show_as_many_kernels_as_wanted(gpus, open_page):
    watched = open_page(gpus, panel_of(gpus, NAME, "profiler"))
    for title, value in (
        ("Time spent by GPU kernels", re.compile(r"^480 ms$")),
        ("Launch counts by GPU kernel", re.compile(r"^24$")),
    ):
        pie = watched.figure(title)
        lines = pie.locator(".shares li")
        expect(lines).to_have_count(16)  # Fifteen and the others.
        expect(lines.first.locator(".amount")).to_have_text(value)
        expect(lines.first.locator(".value").last).to_contain_text("%")
        expect(lines.last).to_contain_text(f"{KERNELS - 15} others")
        # Each slice looks different.
        looks = pie.locator("svg.ring").evaluate(LOOKS)
        assert len(looks) == 16 and len(set(looks)) == 16, looks
        field = pie.get_by_label("Slices to show")
        field.fill("3")
        field.press("Enter")
        expect(lines).to_have_count(4)
        expect(lines.last).to_contain_text(f"{KERNELS - 3} others")
        pie.get_by_label("Others").uncheck()
        expect(lines).to_have_count(3)
        # No more than can be told apart.
        field.fill("99")
        field.press("Enter")
        expect(field).to_have_value("20")
        expect(lines).to_have_count(20)
        looks = pie.locator("svg.ring").evaluate(LOOKS)
        assert len(set(looks)) == 20, looks


def test_a_histogram_of_any_annotation(gpus, open_page):
    watched = open_page(gpus, panel_of(gpus, NAME, "profiler"))
    page = watched.page
    shuffle = watched.page.locator("figure", has_text=re.compile("^Shuffle"))
    expect(shuffle).to_be_hidden()  # Beyond the first four.
    page.get_by_label("New histogram").fill("shuf")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(shuffle.locator(".mark").first).to_be_visible()
    page.get_by_role("button", name="Remove the histogram of Loss").click()
    expect(page.locator("figure", has_text=re.compile("^Loss"))).to_be_hidden()
    watched.wait_for_address("histogram=Shuffle", "!histogram=Loss")
    page.get_by_label("New histogram").fill("nothing")
    page.get_by_label("New histogram").press("Enter")
    expect(page.get_by_text("No annotation or pass “nothing”")).to_be_visible()
    # A link shows the same, also one to another section.
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="GPU kernels").click()
    page.reload()
    expect(shuffle.locator(".mark").first).to_be_visible()
    assert watched.check_accessibility() == []


def test_the_timeline_shows_utilization_and_names_gpus(gpus, open_page):
    watched = open_page(gpus, panel_of(gpus, NAME, "timeline"))
    page = watched.page
    names = page.get_by_role("group", name="Tracks")
    rows = ["CPU utilization", "GPU utilization, mean", "GPU 0 utilization", "GPU 1 utilization"]
    for title in (*rows, "GPU 0, stream 7", "GPU 1, stream 8"):
        expect(names.get_by_text(title, exact=True)).to_be_visible()
    # The values are those of the machine.
    stage = page.get_by_role("application", name="Timeline").bounding_box()
    tip = page.locator(".timeline-tip")
    for title, value in (("GPU 0 utilization", "90 %"), ("GPU 1 utilization", "20 %")):
        name = names.get_by_text(title, exact=True)

        def pointed_at(name=name, value=value) -> bool:
            # Anew each time: rows move and values come while the page loads.
            row = name.bounding_box()
            for x in (0, 3) if row else ():
                page.mouse.move(stage["x"] + stage["width"] / 2 + x, row["y"] + row["height"] / 2)
            return value in tip.text_content()

        watched.wait_until(pointed_at, tip.text_content)
        expect(tip).to_contain_text(f"algo-1 \u203a {title}")
    page.get_by_role("button", name="Other counters").click()
    for title in ("I/O wait", "GPU 0 memory", "GPU 1 memory"):
        expect(names.get_by_text(title, exact=True)).to_be_visible()
    assert watched.check_accessibility() == []


def test_keys_work_wherever_one_has_clicked(gpus, open_page):
    watched = open_page(gpus, panel_of(gpus, NAME, "timeline"))
    page = watched.page
    page.get_by_role("application", name="Timeline").wait_for()
    tracks = page.get_by_role("group", name="Tracks")
    expect(tracks.get_by_text("GPU 0, stream 7", exact=True)).to_be_visible()
    # Nothing was clicked so far.
    page.keyboard.press("w")
    watched.wait_for_address("from=")
    # A button of the page, outside of the timeline.
    page.get_by_role("button", name="Refresh").click()
    page.keyboard.press("Home")  # Means something to the page, ...
    before = watched.address()
    page.keyboard.press("d")  # ... a letter does not.
    page.wait_for_function("before => location.hash !== before", arg=before)
    page.keyboard.press("/")
    page.keyboard.type("w")  # In a field it is a letter.
    expect(page.get_by_label("Search events")).to_have_value("w")


def test_pinned_tracks_and_filters(gpus, open_page):
    watched = open_page(gpus, panel_of(gpus, NAME, "timeline"))
    page = watched.page
    page.get_by_role("button", name="Pin GPU 1, stream 8 to the top").click()
    page.get_by_role("button", name="Pin GPU 1 utilization to the top").click()
    watched.wait_for_address("pin=track", "pin=counter")
    pinned = page.locator(".timeline-pinned")
    expect(pinned).to_contain_text("algo-1 \u203a GPU 1, process 7 \u203a stream 8")
    expect(pinned).to_contain_text("algo-1 \u203a GPU 1 utilization")
    expect(page.get_by_text("GPU 1, stream 8", exact=True)).to_have_count(0)
    # They stay while the rest scrolls, and after a reload.
    page.set_viewport_size({"width": 1360, "height": 600})
    page.locator(".timeline-body").evaluate("body => body.scrollTo(0, 1e6)")
    expect(pinned).to_be_in_viewport()
    page.reload()
    unpin = page.get_by_role("button", name="Unpin algo-1 \u203a GPU 1 utilization")
    unpin.click()
    expect(pinned).not_to_contain_text("GPU 1 utilization")
    # Name, duration and place.
    filter_ = "name~kernel_0[0-3] dur>18ms gpu=1"
    run = run_named(gpus, NAME)
    hits = ask(gpus, f"runs/{run}/timeline/search?q=name~kernel_0%5B0-3%5D%20dur%3E18ms%20gpu%3D1")
    assert hits["total"] == 3 * 12, hits["total"]
    search = page.get_by_label("Search events")
    search.fill(filter_)
    expect(page.get_by_text("36 found")).to_be_visible()
    rows = page.get_by_role("tabpanel", name="Search").locator("tbody tr")
    expect(rows).to_have_count(36)
    expect(rows.first).to_contain_text("algo-1 \u203a GPU 1, process 7 \u203a stream 8")
    watched.forgives = lambda url: "timeline/search" in url
    search.fill("dur>5")
    expect(page.get_by_text("dur>5 is not a duration")).to_be_visible()
