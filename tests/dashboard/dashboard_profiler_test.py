"""The profiler's dashboard and the reports of recorded runs."""

import re

from browsing import ask, panel_of, run_named
from playwright.sync_api import expect

# Charts without anything that takes up room.
UNDRAWN = """
() => [...document.querySelectorAll('.profiler figure.chart')].filter((figure) =>
  ![...figure.querySelectorAll('.plot .mark')].some((mark) => {
    const box = mark.getBoundingClientRect();
    return box.width + box.height >= 2;
  })).map((figure) => figure.querySelector('figcaption').textContent)
"""


def profile_of(service, run: str) -> dict:
    while True:
        profile = ask(service, f"runs/{run_named(service, run)}/profile")
        if not profile["pending"]:
            return profile


def test_every_section_is_there_and_drawn(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "profiler"))
    page = watched.page
    profile = profile_of(recorded, "images")
    sections = [*profile["dashboard"], *profile["report"]["sections"]]
    contents = page.get_by_role("navigation", name="Sections")
    for section in sections:
        link = contents.get_by_role("link", name=section["title"], exact=True)
        expect(link.first).to_be_visible()
        expect(
            page.get_by_role("heading", name=section["title"], exact=True).first
        ).to_be_attached()

    def charts(section) -> int:
        return len(section["charts"]) + sum(charts(part) for part in section["parts"])

    expect(page.locator(".profiler figure.chart")).to_have_count(sum(map(charts, sections)))
    assert sum(map(charts, sections)) > 10
    assert page.evaluate(UNDRAWN) == []


def test_the_tables_are_those_of_the_profile(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "profiler"))
    page = watched.page
    steps = next(s for s in profile_of(recorded, "images")["dashboard"] if s["id"] == "step-time")
    table = steps["tables"][0]
    seen = page.get_by_role("table", name=table["caption"]).first
    expect(seen.locator("tbody tr")).to_have_count(len(table["rows"]))
    assert seen.locator("tbody tr").first.locator("th, td").all_inner_texts() == table["rows"][0]
    # Sorted by the mean: of numbers, not of texts.
    seen.get_by_role("button", name="mean", exact=True).click()
    means = seen.locator("tbody tr td:nth-child(3)").all_inner_texts()
    assert [float(mean) for mean in means] in (
        sorted(map(float, means)),
        sorted(map(float, means))[::-1],
    )


def test_a_link_to_a_section_leads_there(recorded, open_page):
    address = panel_of(recorded, "images", "profiler", section="report-framework")
    watched = open_page(recorded, address)
    page = watched.page
    heading = page.get_by_role("heading", name="Framework metrics", exact=True)
    expect(heading).to_be_in_viewport()
    contents = page.get_by_role("navigation", name="Sections")
    contents.get_by_role("link", name="Step time", exact=True).click()
    watched.wait_for_address("section=dashboard-step-time")
    expect(page.get_by_role("heading", name="Step time", exact=True)).to_be_in_viewport()
    page.go_back()
    expect(heading).to_be_in_viewport()
    page.go_forward()
    expect(page.get_by_role("heading", name="Step time", exact=True)).to_be_in_viewport()
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
