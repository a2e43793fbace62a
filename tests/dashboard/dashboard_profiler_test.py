"""The profiler's dashboard and the reports of recorded runs."""

import re

from browsing import ask, panel_of, run_named
from playwright.sync_api import expect
from serving import wait_until

# Charts without anything that takes up room.
UNDRAWN = """
() => [...document.querySelectorAll('.profiler figure.chart:not([hidden])')].filter((figure) =>
  ![...figure.querySelectorAll('.plot .mark')].some((mark) => {
    const box = mark.getBoundingClientRect();
    return box.width + box.height >= 2;
  })).map((figure) => figure.querySelector('figcaption').textContent)
"""


def profile_of(service, run: str) -> dict:
    path = f"runs/{run_named(service, run)}/profile"
    wait_until(lambda: not ask(service, path)["pending"])
    return ask(service, path)


def charts(section) -> list[str]:
    own = [chart["title"] for chart in section["charts"]]
    return own + [title for part in section["parts"] for title in charts(part)]


def test_every_section_is_there_once_and_drawn(recorded, open_page):
    profile = profile_of(recorded, "images")
    watched = open_page(recorded, panel_of(recorded, "images", "profiler"))
    page = watched.page
    sections = [*profile["dashboard"], *profile["report"]["sections"]]
    contents = page.get_by_role("navigation", name="Sections")
    missing = page.locator("#missing")
    for section in sections:
        if section["id"] == "step-time":  # The section "Step durations" has all of it.
            continue
        content = section["charts"] or section["tables"] or section["parts"]
        if content or section["text"][0]["tone"] != "quiet":
            link = contents.get_by_role("link", name=section["title"], exact=True)
            expect(link.first).to_be_visible()
            heading = page.get_by_role("heading", name=section["title"], exact=True)
            expect(heading.first).to_be_attached()
        else:
            expect(missing).to_contain_text(section["title"])
            expect(missing).to_contain_text(section["text"][0]["text"])
    # In one place, with what to do about it.
    expect(page.get_by_text("Not recorded or not checked")).to_have_count(2)
    titles = {title for section in sections for title in charts(section)}
    watched.wait_until(lambda: page.evaluate(UNDRAWN) == [], lambda: str(page.evaluate(UNDRAWN)))
    watched.settled()
    shown = page.locator(".profiler figure.chart figcaption").all_inner_texts()
    shown = [title.removesuffix("Remove").strip() for title in shown]
    assert len(shown) == len(set(shown)) > 10, shown
    assert set(shown) <= titles


def test_how_to_record_more_is_said_once(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "broken", "profiler"))
    page = watched.page
    missing = page.locator("#missing")
    expect(missing.locator("dt")).not_to_have_count(0)
    command = "warden run --profile full -- "
    expect(missing).to_contain_text(command)
    assert page.locator("main").inner_text().count(command) == 1
    # A full profile on a machine without a GPU: there is nothing left to switch on.
    watched.go(panel_of(recorded, "images", "profiler"))
    expect(missing).to_contain_text("GPU")
    assert "--profile" not in missing.inner_text()


def test_the_tables_are_those_of_the_profile(recorded, open_page):
    steps = next(s for s in profile_of(recorded, "images")["dashboard"] if s["id"] == "step-time")
    watched = open_page(recorded, panel_of(recorded, "images", "profiler"))
    page = watched.page
    table = steps["tables"][0]
    seen = page.get_by_role("table", name=table["caption"]).first
    expect(seen.locator("tbody tr")).to_have_count(len(table["rows"]))
    expect(seen.locator("tbody tr").first.locator("th, td")).to_have_text(table["rows"][0])
    # Sorted by the mean: of numbers, not of texts.
    seen.get_by_role("button", name="mean", exact=True).click()

    def is_sorted() -> bool:
        means = [float(one) for one in cells.all_inner_texts()]
        return means in (sorted(means), sorted(means)[::-1])

    cells = seen.locator("tbody tr td:nth-child(3)")
    watched.wait_until(is_sorted, lambda: str(cells.all_inner_texts()))


def test_a_link_to_a_section_leads_there(recorded, open_page):
    address = panel_of(recorded, "images", "profiler", section="report-framework")
    watched = open_page(recorded, address)
    page = watched.page
    heading = page.get_by_role("heading", name="Framework metrics", exact=True)
    expect(heading).to_be_in_viewport()
    contents = page.get_by_role("navigation", name="Sections")
    contents.get_by_role("link", name="Step durations", exact=True).click()
    watched.wait_for_address("section=report-steps")
    steps = page.get_by_role("heading", name="Step durations", exact=True)
    expect(steps).to_be_in_viewport()
    page.go_back()
    expect(heading).to_be_in_viewport()
    page.go_forward()
    expect(steps).to_be_in_viewport()
    page.get_by_role("link", name="Open the timeline").click()
    watched.wait_for_address("/timeline")


def test_reports_are_shown_inside_and_kept(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "reports"))
    page = watched.page
    inside = page.frame_locator("iframe")
    expect(inside.get_by_role("heading", name="Framework metrics").first).to_be_attached()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the page").click()
    assert "Framework metrics" in download.value.path().read_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the notebook").click()
    assert download.value.path().read_text().lstrip().startswith("{")
    page.locator("summary", has_text=re.compile(r"All \d+ files")).click()
    (report,) = ask(recorded, f"runs/{run_named(recorded, 'images')}/reports")
    expect(page.locator(".reports-files li")).to_have_count(len(report["files"]))


def test_the_report_of_a_boosted_training(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "xgb_binary", "reports"))
    inside = watched.page.frame_locator("iframe")
    expect(inside.get_by_role("heading").first).to_be_visible()
    expect(watched.page.locator(".reports-tools")).to_contain_text("XGBoost")


def test_without_a_report_it_says_how_to_make_one(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "pt_save_all", "reports"))
    expect(watched.page.get_by_role("heading", name="This run has no report")).to_be_visible()
    folder = recorded.folder / "runs/pt_save_all"
    expect(watched.page.locator("pre")).to_contain_text(f"warden report profiler {folder}")


def test_logs_of_a_folder_say_why_there_are_none(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "pt_save_all", "overview"))
    watched.open_panel("Logs")
    expect(watched.page.get_by_role("heading", name="No logs for this run")).to_be_visible()
