"""Tensors of recorded runs: found in the tree, as series, distributions, values and maps."""

import json
import struct
from urllib.parse import quote

import numpy as np
from browsing import ask_bytes, panel_of, reads_as, run_named
from playwright.sync_api import expect

QUERY = "ShapeNet_attention.query.weight"


def columns(service, path: str) -> tuple[dict, dict]:
    """The header and the columns of an answer with many numbers."""
    body = ask_bytes(service, path)
    (length,) = struct.unpack("<I", body[4:8])
    header = json.loads(body[8 : 8 + length])
    kinds = {"f64": "<f8", "f32": "<f4", "u32": "<u4", "u8": "u1"}
    at, found = 8 + length, {}
    for one in header["columns"]:
        data = np.frombuffer(body, kinds[one["type"]], one["length"], at)
        found[one["name"]] = data
        at += -(-data.nbytes // 8) * 8
    return header, found


def tab(page, name: str):
    page.get_by_role("tab", name=name, exact=True).click()
    return page.get_by_role("tabpanel")


def test_the_tree_finds_a_tensor_and_shows_its_series(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "tensors"))
    page = watched.page
    page.get_by_role("treeitem", name="weights 9").click()
    page.get_by_role("treeitem", name="ShapeNet_answer.weight", exact=True).click()
    watched.wait_for_address("tensor=ShapeNet_answer.weight")
    page.get_by_label("Find tensors").fill("attention query")
    expect(page.get_by_text("2 found")).to_be_visible()
    page.get_by_role("treeitem", name=QUERY, exact=True).click(modifiers=["Control"])
    chips = page.get_by_role("group", name="Selected tensors")
    expect(chips.locator(".tensors-chip-name")).to_have_text(["ShapeNet_answer.weight", QUERY])
    page.get_by_role("button", name="l2", exact=True).click()
    watched.wait_for_address("statistic=l2")
    run = run_named(recorded, "images")
    asked = f"runs/{run}/series?tensor={QUERY}&statistic=l2"
    _, series = columns(recorded, asked)
    legend = page.locator(".plot-legend button", has_text=QUERY)
    watched.wait_until_reads(legend.locator(".plot-value"), series["low0"][-1])
    watched.wait_until_drawn(page.locator(".plot-box canvas"))
    page.get_by_role("button", name="Remove ShapeNet_answer.weight").click()
    expect(chips.locator(".tensors-chip-name")).to_have_text([QUERY])
    page.go_back()
    expect(chips.locator(".tensors-chip-name")).to_have_count(2)
    page.go_forward()
    expect(chips.locator(".tensors-chip-name")).to_have_text([QUERY])


def test_the_tree_by_keyboard(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "tensors"))
    page = watched.page
    page.get_by_label("Find tensors").fill("gradient key")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    watched.wait_for_address("tensor=gradient%2FShapeNet_attention.key.weight")
    page.keyboard.press("Home")
    expect(page.get_by_role("tree")).to_be_focused()


def test_distributions(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "tensors", tensor=QUERY))
    panel = tab(watched.page, "Distribution")
    for view, parameter in (("Heat", "heat"), ("Quantiles", "bands"), ("Ridge", "ridge")):
        panel.get_by_role("button", name=view, exact=True).click()
        watched.wait_for_address(f"view={parameter}")
        chosen = panel.get_by_role("button", name=view, exact=True)
        expect(chosen).to_have_attribute("aria-pressed", "true")
        watched.wait_until_drawn(panel.locator(".tensors-distribution canvas").last)


def test_values_are_those_of_the_tensor(recorded, open_page):
    address = panel_of(recorded, "images", "tensors", tensor=QUERY, tab="values", step=20)
    watched = open_page(recorded, address)
    page = watched.page
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("button", name="Table", exact=True).click()
    run = run_named(recorded, "images")
    asked = f"runs/{run}/value?tensor={QUERY}&step=20"
    header, values = columns(recorded, asked)
    grid = np.reshape(values["values"], header["shape"])
    cell = panel.locator("#tensors-cell-3-2")
    expect(cell).to_have_attribute("title", repr_of(grid[3, 2]))
    facts = dict(
        zip(
            panel.locator(".tensors-facts dt").all_inner_texts(),
            panel.locator(".tensors-facts dd").all_inner_texts(),
            strict=True,
        )
    )
    for name, key in (("Minimum", "min"), ("Maximum", "max"), ("Mean", "mean")):
        assert reads_as(facts[name], header["summary"][key]), facts
    # A part of it.
    panel.get_by_label("Slice, as in NumPy").fill("5,:")
    panel.get_by_label("Slice, as in NumPy").press("Enter")
    watched.wait_for_address("slice=5")
    expect(panel.locator("#tensors-cell-2-0")).to_have_attribute("title", repr_of(grid[5, 2]))
    # Another step.
    panel.get_by_label("Next step").click()
    watched.wait_for_address("!step=20")
    expect(panel.get_by_label("Step number")).to_have_value("30")
    watched.page.reload()
    expect(page.get_by_role("tabpanel").get_by_label("Step number")).to_have_value("30")
    expect(panel.locator("#tensors-cell-2-0")).not_to_have_attribute("title", repr_of(grid[5, 2]))


def repr_of(value: float) -> str:
    """As JavaScript writes a number of seventeen digits."""
    written = repr(float(f"{value:.17g}"))
    mantissa, _, power = written.partition("e")
    return f"{mantissa}e{int(power)}" if power else written


def test_values_as_pictures(recorded, open_page):
    address = panel_of(recorded, "images", "tensors", tensor="ShapeNet_input_0", tab="values")
    watched = open_page(recorded, address)
    page = watched.page
    panel = page.get_by_role("tabpanel")
    pictures = panel.locator(".tensors-picture canvas")
    expect(pictures).to_have_count(16)
    watched.wait_until_drawn(pictures)
    watched.go(panel_of(recorded, "images", "tensors", tensor=QUERY, tab="values", view="image"))
    picture = panel.locator("canvas[role=img]")
    watched.wait_until_drawn(picture)
    picture.focus()
    page.keyboard.press("ArrowRight")
    run = run_named(recorded, "images")
    header, values = columns(recorded, f"runs/{run}/value?tensor={QUERY}&step=112")
    assert header["shape"] == [16, 16]
    told = panel.locator("[aria-live=polite]", has_text="row 0, column 1")
    expect(told).to_have_count(1)
    assert abs(float(told.inner_text().split(",")[0]) - values["values"][1]) < 1e-5


def test_the_map_of_an_activation(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "tensors", mode="EVAL"))
    page = watched.page
    panel = tab(page, "Activation map")
    panel.get_by_role("combobox", name="Activation", exact=True).select_option("parts_output_0")
    watched.wait_for_address("activation=parts_output_0")
    expect(panel.get_by_role("combobox", name="Gradient")).to_have_value("gradient/parts_output_0")
    expect(panel.get_by_role("combobox", name="Input images")).to_have_value("ShapeNet_input_0")
    panel.get_by_label("Image number").fill("3")
    watched.wait_for_address("image=3")
    expect(panel).to_contain_text("16 channels, each weighted by the mean of its gradient")
    for name in ("Map over image", "Input image", "Activation map"):
        watched.wait_until_drawn(panel.get_by_role("img", name=name, exact=True))


def test_workers_and_modes_are_chosen(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "pt_two_workers_all", "tensors"))
    page = watched.page
    value = page.locator(".plot-legend .plot-value").first
    expect(value).not_to_be_empty()
    run = run_named(recorded, "pt_two_workers_all")
    tensor = page.locator(".tensors-chip-name").first.inner_text()
    by_worker = {}
    for worker in page.get_by_label("Worker").locator("option").all_inner_texts():
        asked = f"runs/{run}/series?tensor={quote(tensor)}&worker={worker}"
        by_worker[worker] = columns(recorded, asked)[1]["low0"][-1]
    assert len(by_worker) == 2
    for worker, last in by_worker.items():
        page.get_by_label("Worker").select_option(worker)
        watched.wait_for_address(f"worker={worker}")
        watched.wait_until_reads(value, last)
    page.get_by_label("Mode").select_option("TRAIN")
    watched.wait_for_address("mode=TRAIN")
    expect(value).not_to_be_empty()


def test_going_elsewhere_wins_over_what_the_panel_writes(recorded, open_page):
    address = panel_of(recorded, "images", "tensors", tensor=QUERY)
    watched = open_page(recorded, address)
    watched.page.get_by_role("tab", name="Distribution", exact=True).wait_for()
    # The panel writes its tab into the address before the browser has told it of the new one.
    watched.page.evaluate(
        """to => {
          location.hash = to;
          [...document.querySelectorAll('[role=tab]')]
            .find((one) => one.textContent === 'Distribution').click();
        }""",
        panel_of(recorded, "images", "logs"),
    )
    watched.page.locator(".logs-line").first.wait_for()
    watched.wait_for_address("/logs")
