"""The table of runs: columns, filter, groups, plots, and what people say of runs."""

import re

import pytest
from browsing import PHONE, ask, run_named
from playwright.sync_api import expect
from serving import Service
from sweep import RUNS, write_sweep

FIELDS = "columns=param:lr,last:loss,min:loss"


@pytest.fixture
def sweep(tmp_path):
    write_sweep(tmp_path / "runs")
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield service
    service.stop()


def names(page):
    return page.locator("a.runs-name")


def column(page, name):
    return page.locator(f'th[data-column="{name}"]')


def test_columns_filter_and_groups(sweep, open_page):
    watched = open_page(sweep)
    page, keyboard = watched.page, watched.page.keyboard
    page.locator("summary", has_text="Columns").click()
    for title in ["loss (last)", "loss (min)", "lr"]:
        page.get_by_role("checkbox", name=title, exact=True).click()
    page.get_by_role("button", name="Move lr up").click()
    keyboard.press("Escape")
    expect(page.locator("summary", has_text="Columns")).to_be_focused()
    # By keyboard and by drag.
    column(page, "param:lr").get_by_role("button").focus()
    keyboard.press("Shift+ArrowLeft")
    expect(column(page, "param:lr").get_by_role("button")).to_be_focused()
    column(page, "min:loss").drag_to(column(page, "status"))
    column(page, "min:loss").get_by_role("button").click()
    column(page, "min:loss").get_by_role("button").click()
    watched.wait_for_address("sort=min%3Aloss")
    page.reload()
    by_loss = sorted(RUNS, key=lambda name: RUNS[name][3])
    expect(names(page)).to_have_text(by_loss)
    ids = page.locator("th[data-column]").evaluate_all("all => all.map((e) => e.dataset.column)")
    assert ids[:3] == ["name", "min:loss", "status"], ids
    assert ids.index("param:lr") == ids.index("last:loss") - 1, ids
    expect(page.locator("tr[data-run]").first.locator("td.runs-c-field").first).to_have_text("0.1")

    search = page.get_by_label("Search runs")
    search.fill('lr>1e-3 last:loss<0.45 name~^fast "fast"')
    expect(names(page)).to_have_text(["fast-1", "fast-2"])
    search.fill("lr>much status:fine rate=1 optimizer=adam")
    expect(names(page)).to_have_count(3)
    problems = page.locator(".runs-problems li")
    expect(problems).to_have_text(
        [
            "lr>much is ignored: expected a number after >, got 'much'",
            "status:fine is ignored: unknown status 'fine'; expected one of: running, completed, "
            "failed, stopping, stopped, unknown",
            "rate=1 is ignored: no run has 'rate'; expected one of: step, findings, duration, "
            "name, lr, optimizer, seed, loss",
        ]
    )
    expect(search).to_have_attribute("aria-invalid", "true")
    assert watched.check_accessibility() == []
    search.fill("")
    expect(problems).to_have_count(0)

    page.get_by_label("Group by").select_option(label="lr")
    groups = page.locator("tr[data-group]")
    expect(groups.locator(".runs-name")).to_have_text(["lr = 0.1", "lr = 0.01", "lr = 0.001"])
    expect(groups.first.locator("td.runs-c-field").first).to_have_text("0.15± 0.071")
    groups.first.locator(".runs-name").press("Enter")
    expect(names(page)).to_have_text(["fast-1", "fast-2"])
    page.reload()
    expect(names(page)).to_have_text(["fast-1", "fast-2"])
    page.get_by_label("Select the runs with lr = 0.1", exact=True).check()
    assert watched.check_accessibility() == []
    # Charts of the comparison show the mean of the group, with a band.
    page.get_by_role("button", name="Compare 2 runs").click()
    page.get_by_label("Mean and standard deviation").check()
    watched.wait_for_address("mean=1")
    legend = page.locator(".compare-grid .plot-name").first
    expect(legend).to_have_text("mean of 2 runs")
    watched.wait_until_drawn(page.locator(".compare-grid canvas"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_plots_filter_and_name_runs(sweep, open_page, scheme):
    watched = open_page(sweep, f"#/runs?{FIELDS}&plot=parallel", color_scheme=scheme)
    page, keyboard = watched.page, watched.page.keyboard
    canvas = page.locator(".runs-plot-over")
    watched.wait_until_drawn(page.locator(".runs-plot canvas").first)
    box = canvas.bounding_box()
    # From the lowest learning rate to the middle of a logarithmic axis, and a bit more.
    at = box["x"] + 24
    page.mouse.move(at, box["y"] + box["height"] - 2)
    page.mouse.down()
    page.mouse.move(at, box["y"] + 120, steps=4)
    page.mouse.up()
    kept = re.compile(r"^lr>=0\.000\d+ lr<=0\.02\d+$")
    expect(page.get_by_label("Search runs")).to_have_value(kept)
    expect(names(page)).to_have_text(["middle", "slow-2", "slow-1"])
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(names(page)).to_have_count(5)
    page.get_by_label("to", exact=True).fill("0.01")
    keyboard.press("Enter")
    expect(names(page)).to_have_count(3)
    canvas.focus()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowUp")
    expect(page.locator(".runs-tip")).to_contain_text("middlelr 0.01loss (last) 0.5")
    assert watched.check_accessibility() == []
    page.get_by_role("combobox", name="Plot").select_option(label="scatter")
    page.get_by_label("X axis").select_option(label="optimizer")
    page.get_by_role("combobox", name="Color").select_option(label="seed")
    watched.wait_for_address("plot=scatter", "px=param%3Aoptimizer", "pc=param%3Aseed")
    watched.wait_until_drawn(page.locator(".runs-plot canvas").first)
    canvas.focus()
    keyboard.press("ArrowUp")
    expect(page.locator(".runs-tip")).to_contain_text("middleoptimizer adam")
    assert watched.check_accessibility() == []
    keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("middle")


def test_runs_are_marked_deleted_and_restored(sweep, open_page):
    watched = open_page(sweep, "#/runs?sort=name")
    page, keyboard = watched.page, watched.page.keyboard
    names(page).first.focus()
    keyboard.press("e")
    dialog = page.get_by_role("dialog", name="Edit fast-1")
    dialog.get_by_label("Name").fill("The good one")
    dialog.get_by_label("Tags").fill("paper, best")
    dialog.get_by_label("Note").fill("Seed 1 of 2")
    dialog.get_by_label("Baseline").check()
    assert watched.check_accessibility() == []
    dialog.get_by_role("button", name="Save").click()
    row = page.locator("tr[data-run]", has_text="The good one")
    expect(row.get_by_role("img", name="Baseline")).to_be_visible()
    expect(row.locator(".runs-tag")).to_have_text(["best", "paper"])
    page.get_by_label("Search runs").fill("tag:paper is:baseline note~seed")
    expect(names(page)).to_have_text(["The good one"])
    page.get_by_label("Search runs").fill("name~slow")
    page.get_by_label("Select all shown runs").check()
    page.get_by_role("button", name="Edit 2 runs").click()
    several = page.get_by_role("dialog", name="Edit 2 runs")
    several.get_by_label("Add tags").fill("old")
    several.get_by_label("Archived").check()
    several.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="No runs match")).to_be_visible()
    page.get_by_role("button", name="Archived").click()
    expect(names(page)).to_have_text(["slow-1", "slow-2"])
    page.get_by_role("button", name="Edit 2 runs").click()
    several.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Deleted 2 runs.")).to_be_visible()
    expect(page.locator("summary", has_text="2 deleted runs")).to_be_visible()
    assert len(ask(sweep, "runs")["runs"]) == 3
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()  # The button is gone.
    expect(names(page)).to_have_text(["slow-1", "slow-2"])

    watched.go(f"#/run/{run_named(sweep, 'fast-1')}/overview")
    expect(page.get_by_role("heading", level=1)).to_have_text("The good one")
    expect(page.get_by_text("Seed 1 of 2")).to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    one = page.get_by_role("dialog", name="Edit The good one")
    one.get_by_label("Name").fill("")
    one.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("fast-1")
    assert watched.check_accessibility() == []
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Deleted fast-1.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(names(page)).to_have_count(3)


def test_a_phone_shows_chosen_columns(sweep, open_page):
    watched = open_page(sweep, f"#/runs?{FIELDS},min:loss,status,age,step&plot=parallel", **PHONE)
    page = watched.page
    watched.wait_until_drawn(page.locator(".runs-plot canvas").first)
    table = page.locator(".runs-list")
    assert table.evaluate("(box) => box.scrollWidth > box.clientWidth")
    assert watched.sideways() <= 0
    assert watched.check_accessibility() == []
