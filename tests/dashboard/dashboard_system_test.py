"""System metrics of a recorded run: the summary, the charts, and one axis of time for all."""

import re

from browsing import ask, panel_of, run_named
from playwright.sync_api import expect

CHARTS = ["CPU utilization", "I/O wait", "Memory", "Network", "Disk"]
UNITS = ["B/s", "kB/s", "MB/s", "GB/s"]


def written(value: float, unit: str) -> float:
    """The number before the unit."""
    while unit == "B/s" and abs(value) >= 999.5:
        value /= 1000
    return value


def test_the_summary_is_the_one_of_the_samples(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "system"))
    table = watched.page.get_by_role("table", name="Utilization of each node")
    rows = ask(recorded, f"runs/{run_named(recorded, 'images')}/metrics/summary")
    rows = [row for row in rows if row["max"] is not None]
    expect(table.locator("tbody tr")).to_have_count(len(rows))
    for row, seen in zip(rows, table.locator("tbody tr").all(), strict=True):
        assert row["group"] in seen.inner_text()
        for key, cell in zip(
            ("max", "p99", "p95", "p50", "min"),
            seen.locator("td.system-amount").all_inner_texts(),
            strict=True,
        ):
            number, unit = cell.replace(",", "").split()
            value = written(row[key], row["unit"])
            assert abs(float(number) - value) <= 0.006 + 0.006 * abs(value), (row, cell)
            assert unit == row["unit"] or unit in UNITS


def test_every_chart_is_drawn(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "system"))
    for title in CHARTS:
        figure = watched.figure(title)
        watched.wait_until_drawn(figure.locator("canvas"))
        assert figure.locator(".plot-value").first.inner_text()
    heat = watched.figure("All cores and GPUs over time")
    watched.wait_until_drawn(heat.locator("canvas").last)
    metrics = ask(recorded, f"runs/{run_named(recorded, 'images')}/metrics")
    heat.locator(".heat-box").focus()
    watched.page.keyboard.press("ArrowDown")
    expect(heat.locator("[aria-live=polite]")).to_contain_text(metrics["nodes"][0]["cores"][0])


def test_findings_are_marked_where_their_steps_were_saved(recorded, open_page):
    run = run_named(recorded, "broken")
    findings = ask(recorded, f"runs/{run}/metrics/marks")["findings"]
    assert any(one["time"] is None for one in findings)  # This run has no timeline of its steps.
    watched = open_page(recorded, panel_of(recorded, "broken", "system"))
    mark = watched.figure("CPU utilization").locator("a.plot-flag-warning").first
    expect(mark).to_have_attribute("aria-label", re.compile("VanishingGradient at step"))
    mark.focus()  # Not by a click: on a busy machine a mark of a slow step may lie on it.
    watched.page.keyboard.press("Enter")
    watched.wait_for_address("/overview", "rule=")


def test_time_is_one_for_all_and_in_the_address(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "system"))
    page = watched.page
    plot = watched.figure("CPU utilization").locator(".plot-box")
    expect(watched.figure("CPU utilization").locator(".plot-value").first).not_to_be_empty()
    box = plot.bounding_box()
    # A drag over the plot chooses a part of the time.
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 60, steps=5)
    page.mouse.up()
    watched.wait_for_address("from=", "to=")
    expect(page.get_by_role("heading", name="Utilization in the time range shown")).to_be_visible()
    for title in CHARTS:
        shows_all = watched.figure(title).get_by_role("button", name="Show all")
        expect(shows_all).to_be_visible()
    zoomed = watched.address()
    page.reload()
    expect(page.get_by_role("heading", name="Utilization in the time range shown")).to_be_visible()
    assert watched.address() == zoomed
    expect(page.get_by_label("Lock time range")).to_be_checked()
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Reset").click()
    watched.wait_for_address("!from=")
    expect(page.get_by_role("heading", name="Utilization over the whole run")).to_be_visible()


def test_single_cores_are_chosen(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "system"))
    page = watched.page
    metrics = ask(recorded, f"runs/{run_named(recorded, 'images')}/metrics")
    cores = metrics["nodes"][0]["cores"]
    page.locator("summary", has_text=f"Mean of {len(cores)} cores").click()
    page.get_by_label(cores[-1], exact=True).check()
    watched.wait_for_address(f"cores={cores[-1]}")
    names = watched.figure("CPU utilization").locator(".plot-name")
    expect(names.filter(has_text=cores[-1])).to_have_count(1)


def test_without_metrics_it_says_how_to_get_them(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "pt_save_all", "system"))
    expect(
        watched.page.get_by_role("heading", name="No system metrics for this run")
    ).to_be_visible()
