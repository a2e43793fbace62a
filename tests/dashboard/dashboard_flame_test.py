"""The flame graph of a timeline, and the critical path of its steps."""

import re

import pytest
from browsing import PHONE, ask, panel_of, run_named
from playwright.sync_api import expect
from serving import Service
from step_profile import LAYERS, NAME, STEPS, write_step_run

# How many pixels of a canvas have the color of the critical path in the light theme.
RED = """
(canvas) => {
  const { width, height } = canvas;
  const copy = Object.assign(document.createElement('canvas'), { width, height });
  const on = copy.getContext('2d', { willReadFrequently: true });
  on.drawImage(canvas, 0, 0);
  const { data } = on.getImageData(0, 0, width, height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i] === 0xb3 && data[i + 1] === 0x26 && data[i + 2] === 0x1e) ++count;
  return count;
}
"""


@pytest.fixture(scope="module")
def steps(tmp_path_factory) -> Service:
    folder = tmp_path_factory.mktemp("steps")
    write_step_run(folder / "runs" / NAME)
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield service
    service.stop()


def test_the_flame_graph_is_walked_searched_and_kept(steps, open_page):
    watched = open_page(steps, panel_of(steps, NAME, "timeline"))
    page = watched.page
    page.get_by_role("tab", name="Flame graph").click()
    watched.wait_for_address("tab=flame")
    pane = page.get_by_role("tabpanel", name="Flame graph")
    graph = pane.get_by_role("application", name="Flame graph")
    boxes = graph.locator("g[data-node]")
    expect(boxes.filter(has_text="implicit_gemm")).to_have_count(1)
    expect(boxes.filter(has_text="cudaDeviceSynchronize")).to_have_count(1)
    # The pointer tells times, share and count.
    boxes.filter(has_text="implicit_gemm").hover()
    tip = page.locator(".timeline-tip")
    expect(tip).to_contain_text(f"{STEPS * LAYERS} spans")
    expect(tip).to_contain_text("self")
    # Search tells which share is found.
    pane.get_by_label("Highlight").fill("CONV")
    expect(pane.get_by_role("status")).to_contain_text("nodes")
    # A click makes a node as wide as the graph.
    wide = boxes.first.bounding_box()["width"]
    gemm = boxes.filter(has_text="implicit_gemm")
    gemm.click()
    watched.wait_until(lambda: gemm.bounding_box()["width"] > 0.99 * wide)
    # Keys: out, down to the process, the thread and the step, and in again.
    graph.focus()
    page.keyboard.press("Escape")
    expect(boxes.filter(has_text="cudaDeviceSynchronize")).to_have_count(1)
    for key in ("ArrowDown", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(gemm).to_have_count(0)
    expect(boxes.filter(has_text="aten::conv2d")).to_have_count(1)  # In Net, in the step.
    page.keyboard.press("Escape")
    # As a table.
    pane.get_by_text("As a table").click()
    rows = pane.locator("tbody tr")
    expect(rows.filter(has_text="aten::cudnn_convolution")).to_contain_text("aten::conv2d")
    # All processes together, of the whole run, in a link.
    pane.get_by_label("Whole run").check()
    pane.get_by_role("combobox").select_option("all")
    watched.wait_for_address("by=all", "whole=1")
    expect(boxes.filter(has_text="main thread")).to_have_count(0)
    expect(boxes.filter(has_text="implicit_gemm")).to_have_count(1)
    with page.expect_download() as download:
        pane.get_by_role("button", name="Stacks as text").click()
    lines = download.value.path().read_text().splitlines()
    told = ask(steps, f"runs/{run_named(steps, NAME)}/timeline/flame?by=all&limit=600")
    total = sum(int(line.rsplit(" ", 1)[1]) for line in lines)
    assert abs(total - told["nodes"][0]["total"]) <= len(lines)
    assert any(
        re.match(r"Step:ModeKeys.TRAIN;Forward: Net;aten::conv2d;aten::cudnn_convolution \d+", line)
        for line in lines
    )
    with page.expect_download() as download:
        pane.get_by_role("button", name="SVG").click()
    picture = download.value.path().read_text()
    assert picture.startswith("<svg") and "implicit_gemm" in picture
    page.reload()
    expect(pane.get_by_role("combobox")).to_have_value("all")
    expect(boxes.filter(has_text="implicit_gemm")).to_have_count(1)
    assert watched.check_accessibility() == []


def test_a_step_is_followed_back_to_what_it_waited_for(steps, open_page):
    watched = open_page(steps, panel_of(steps, NAME, "timeline", tab="path"), color_scheme="light")
    page = watched.page
    pane = page.get_by_role("tabpanel", name="Critical path")
    expect(pane.get_by_role("heading", name="Step 0 took 45 ms")).to_be_visible()
    expect(pane.get_by_text("GPU kernels", exact=False).first).to_be_visible()
    rows = pane.get_by_role("region", name="What step 0 consists of").locator("tbody tr")
    expect(rows.first).to_contain_text("data loading")
    expect(rows.filter(has_text="implicit_gemm").first).to_contain_text("queued behind it")
    expect(rows.filter(has_text="aten::cudnn_convolution").first).to_contain_text("launched")
    expect(rows.filter(has_text="cudaDeviceSynchronize")).to_have_count(1)
    # It is drawn over the timeline, and not when another tab is shown.
    stage = page.locator(".timeline-slices")
    watched.wait_until(lambda: stage.evaluate(RED) > 100)
    page.get_by_role("tab", name="Statistics").click()
    watched.wait_until(lambda: stage.evaluate(RED) == 0)
    page.get_by_role("tab", name="Critical path").click()
    # Another step, in the address.
    pane.get_by_role("button", name="Slowest").click()
    watched.wait_for_address("step=5", "mode=TRAIN")
    expect(pane.get_by_role("heading", name="Step 5 took 90 ms")).to_be_visible()
    pane.get_by_role("button", name="Zoom to step").click()
    watched.wait_for_address("from=", "to=")
    # Medians over all of them.
    expect(pane.get_by_role("heading", name="What a step waits for")).to_be_visible()
    names = pane.get_by_role("region", name="Medians over steps, by name").locator("tbody tr")
    expect(names.first).to_contain_text("implicit_gemm")
    assert watched.check_accessibility() == []
    watched.forgives = lambda url: "timeline/path" in url
    pane.get_by_label("Step", exact=True).fill("77")
    pane.get_by_label("Step", exact=True).press("Enter")
    expect(pane.get_by_text("it has TRAIN of algo-1-7: 0 to 7")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_fit_a_phone(steps, open_page, scheme):
    watched = open_page(steps, **PHONE, color_scheme=scheme)
    page = watched.page
    for tab, ready in (("flame", ".flame-svg text"), ("path", ".path-kinds li")):
        watched.go(panel_of(steps, NAME, "timeline", tab=tab))
        page.locator(ready).first.wait_for()
        assert watched.sideways() <= 0
        assert watched.check_accessibility() == []
    # Names of tracks are whole.
    cut = page.locator(".timeline-name .clip").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1 ||"
        " one.scrollHeight > one.clientHeight + 2).map((one) => one.textContent)"
    )
    assert cut == []
