"""The output of `warden run`: the traceback on the overview, the rest in the log."""

from browsing import panel_of
from playwright.sync_api import expect
from unhappy import CRASHED, DIVERGED, FIRST_NAN, LOG_LINES


def test_a_crashed_run_shows_its_traceback_first(unhappy, open_page):
    watched = open_page(unhappy, panel_of(unhappy, CRASHED, "overview"))
    page = watched.page
    notice = page.locator(".notice.bad")
    expect(notice).to_contain_text("Training failed: exit code 1.")
    output = notice.get_by_role("group", name="Last output")
    expect(output).to_contain_text("Traceback (most recent call last):")
    expect(output).to_contain_text("ValueError: bad batch size")
    expect(output).not_to_contain_text("step 1")
    verdict = page.get_by_role("region", name="Verdict")
    assert notice.bounding_box()["y"] < verdict.bounding_box()["y"]
    notice.get_by_role("link", name="Show the whole log").click()
    watched.wait_for_address("/logs")
    expect(page.get_by_role("log")).to_contain_text("step 1: loss 0.5")


def test_the_log_can_be_searched_and_filtered(unhappy, open_page):
    watched = open_page(unhappy, panel_of(unhappy, CRASHED, "logs"))
    page = watched.page
    lines = page.get_by_role("log").locator(".logs-line")
    expect(lines.first).to_contain_text("step 1")
    page.get_by_label("Search the log").fill("BATCH")
    expect(lines.locator("mark").first).to_have_text("batch")
    watched.wait_for_address("q=BATCH")
    page.get_by_label("Search the log").fill("")
    page.get_by_label("Level").select_option("warnings and errors")
    expect(lines.first).to_contain_text("WARNING: slow disk")
    page.get_by_label("Level").select_option("errors")
    expect(lines.first).to_contain_text("Traceback")
    watched.wait_for_address("level=error")
    page.reload()
    expect(lines.first).to_contain_text("Traceback")


def test_a_link_leads_to_the_lines_of_a_moment(unhappy, open_page):
    watched = open_page(unhappy, panel_of(unhappy, CRASHED, "logs", at=4000000000))
    here = watched.page.locator(".logs-here")
    expect(here).to_have_count(1)
    expect(here).to_contain_text("ValueError: bad batch size")


def test_an_incident_leads_to_its_line_of_a_long_log(unhappy, open_page):
    watched = open_page(unhappy, panel_of(unhappy, DIVERGED, "overview"))
    page = watched.page
    # Step 61 began with line 610; the last 500 lines do not have it.
    page.get_by_role("link", name="Log at that time").first.click()
    watched.wait_for_address("/logs", "at=")
    here = page.locator(".logs-here")
    expect(here).to_contain_text(f"batch {10 * FIRST_NAN}")
    expect(here).to_be_in_viewport()
    lines = page.get_by_role("log").locator(".logs-line")
    expect(lines).to_have_count(500)
    page.get_by_role("button", name="Older lines").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Beginning of the log")).to_be_attached()
    expect(lines.first).to_contain_text("batch 0")
    # The search finds what the page has not loaded, and leads to what is around it.
    page.get_by_label("Search the log").fill("BATCH 4321")
    expect(lines).to_have_count(1)
    lines.get_by_role("link").click()
    expect(lines).to_have_count(500)
    expect(here).to_contain_text("batch 4321")
    expect(page.get_by_label("Search the log")).to_have_value("")
    page.get_by_label("Follow").check()
    expect(lines.last).to_contain_text(f"batch {LOG_LINES - 1}")
