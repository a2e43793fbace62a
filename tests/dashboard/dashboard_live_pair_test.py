"""Two trainings that go on: compared while they run, one of them with a report that is written
meanwhile; then both are over, and what they did stays."""

import re

import pytest
from browsing import Watched, add_to_comparison, ask, panel_of
from live_jobs import Job
from playwright.sync_api import expect
from serving import Service, debug_rule

LOSS = "CrossEntropyLoss_output_0"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("pair")).start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def jobs(service):
    """Both at once: they begin alike and learn at different rates."""
    rules = [debug_rule("ProfilerReport")]
    started = [
        Job(service, "slow"),
        Job(service, "fast", lr=0.1, ProfilerRuleConfigurations=rules),
    ]
    yield started
    for job in started:
        job.stop()


@pytest.fixture(scope="module")
def reader(browser, service, jobs):
    """Has had the panel of reports open since before there was one."""
    watched = Watched(browser, service).log_in(panel_of(service, "fast", "reports"))
    expect(watched.page.get_by_role("heading", name="No report yet")).to_be_visible()
    yield watched
    assert watched.close() == []


@pytest.mark.usefixtures("reader")
def test_a_stranger_is_refused_while_it_trains(browser, service):
    stranger = Watched(browser, service)
    stranger.forgives = lambda url: "/-/api/" in url  # It is asked without a token.
    page = stranger.page
    page.goto(f"{service.endpoint}/-/{panel_of(service, 'slow', 'overview')}")
    page.get_by_label("Token").fill("not the token")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Wrong token")
    page.get_by_label("Token").fill(service.token())
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("slow")
    expect(page.locator(".shell-live")).to_have_text("Live")
    assert stranger.close() == []


def test_two_that_train_are_compared(open_page, service, jobs):
    for job in jobs:
        job.wait_for(lambda told: told["SecondaryStatus"] == "Training")
    watched = open_page(service, "#/compare?a=slow")
    page = watched.page
    add_to_comparison(page, "fast (running)")
    watched.wait_for_address("b=fast")
    expect(page.get_by_role("row", name="lr 0.01 0.1", exact=True)).to_be_visible()
    page.get_by_label("Find tensors").fill(LOSS)
    row = page.get_by_role("table", name="Differences by tensor").locator("[data-tensor]")
    expect(row).to_have_count(1)
    watched.wait_until_drawn(row.locator("canvas"))
    told = ask(service, "compare?a=slow&b=fast")["tensors"]
    (loss,) = (one for one in told if one["tensor"] == LOSS)
    first = f"{int(loss['first_step'])} (first)"  # No tensor diverges before.
    expect(row.get_by_role("cell").nth(4)).to_have_text(first)
    # Both curves go on, alone and in the grid of all, and so does what is said of the runs.
    figure = watched.figure(LOSS)
    watched.wait_until_drawn(figure.locator("canvas").first)
    growing = figure.locator(".plot-legend .plot-value")
    growing = growing.or_(page.get_by_role("row", name="Last step").get_by_role("cell"))
    expect(growing).to_have_count(6)
    for place, before in zip(growing.all(), growing.all_inner_texts(), strict=True):
        expect(place).not_to_have_text(before)
    assert watched.check_accessibility() == []


def test_a_report_arrives_and_a_newer_one_is_offered(reader):
    page = reader.page
    inside = page.frame_locator("iframe")
    expect(inside.get_by_text("Still running, as of")).to_be_visible()
    reader.settled()
    assert reader.check_accessibility() == []
    tools = page.locator(".reports-tools")
    newer = tools.get_by_role("button", name="New version available: show it")
    # What is being read stays until the reader asks for the newer one.
    inside.locator("html").evaluate("page => { page.dataset.read = '' }")
    expect(newer).to_be_visible()
    expect(inside.locator("html[data-read]")).to_have_count(1)
    newer.click()
    expect(newer).to_have_count(0)
    expect(inside.locator("html:not([data-read]) h1")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Report", exact=True).click()
    assert "Still running, as of" in download.value.path().read_text()


def test_what_they_did_stays(open_page, service, jobs):
    watched = open_page(service, panel_of(service, "slow", "compare", b="fast"))
    page = watched.page
    status = page.get_by_role("row", name="Status").get_by_role("cell")
    expect(status).to_have_text(["running", "running"])
    for job in jobs:
        job.stop()
    expect(status).to_have_text(["stopped", "stopped"])
    watched.open_panel("Logs")
    log = page.get_by_role("log")
    printed = re.findall(r"step \d+: loss [\d.]+", service.log_of("slow"))
    expect(log.get_by_text(printed[-1], exact=True)).to_have_count(1)
    page.get_by_label("Search the log").fill("step 5:")
    expect(log.locator("mark")).to_have_text(["step 5:"])
    page.reload()
    expect(log.locator("mark")).to_have_text(["step 5:"])
