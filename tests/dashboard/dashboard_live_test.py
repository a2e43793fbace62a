"""A training while it goes on: what it does is on the screen, and it can be told what to do."""

import re
import time

import pytest
from browsing import DESK, PHONE, SOON, ask, panel_of, run_named
from live_jobs import Job
from playwright.sync_api import expect
from serving import PATIENCE, Service
from states import problems


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("live")).start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def job(service):
    started = Job(service, "live")
    started.wait_for(lambda job: job["SecondaryStatus"] == "Training")
    yield started
    started.stop()


@pytest.fixture
def watch(service, job, open_page):
    """Opens a panel of the job."""
    return lambda panel, **context: open_page(service, panel_of(service, "live", panel), **context)


def fact(page, name: str):
    """One of the facts above the charts."""
    return page.locator(".facts div", has=page.get_by_text(name, exact=True)).locator("dd")


def number_at(locator) -> float:
    """The number that a text begins with; -1 without one."""
    number = re.match(r"[\d,]+", locator.inner_text())
    return float(number[0].replace(",", "")) if number else -1


def wait_for_more(page, locator, than: float) -> None:
    """Until the number that is written there is larger."""
    deadline = time.monotonic() + SOON / 1000
    while number_at(locator) <= than:
        assert time.monotonic() < deadline, locator.inner_text()
        page.wait_for_timeout(50)  # Lets the page's events come.


def test_the_loss_grows_on_the_screen(watch):
    watched = watch("overview")
    page = watched.page
    expect(page.locator(".run-head .badge")).to_contain_text("Running")
    step = fact(page, "Step")
    expect(step).to_have_text(re.compile(r"^\d"))
    before = number_at(step)
    figure = watched.figure("CrossEntropyLoss_output_0")
    watched.wait_until_drawn(figure.locator("canvas"))
    figure.get_by_role("button", name="Show table").click()
    last = figure.locator("tbody th").last  # Of many steps it has a part, so they are not counted.
    shown = number_at(last)
    wait_for_more(page, step, before + 20)
    wait_for_more(page, last, shown)
    expect(page.get_by_role("list", name="Phases")).to_contain_text("Training")
    expect(fact(page, "Step")).to_contain_text(" of 100,000")


def test_the_list_shows_that_it_runs(service, job, open_page):
    page = open_page(service).page
    row = page.locator("tr[data-run]", has_text="live")
    expect(row.locator("td.runs-c-status")).to_have_text("Running")
    expect(row.locator("td.runs-c-tags")).to_have_text("team=vision")
    row.get_by_role("button", name="team=vision").click()
    expect(page.get_by_role("searchbox", name="Search runs")).to_have_value("tag:team=vision")
    expect(row.locator("td.runs-c-step")).to_have_text(re.compile(r"\d"))


def test_metrics_and_timeline_grow(watch, service):
    watched = watch("system")
    page = watched.page
    told = page.locator(".system-told")
    expect(told).to_contain_text("UTC")
    before = told.inner_text()
    expect(told).not_to_have_text(before)
    # Fixed, it stays where it is.
    page.get_by_label("Lock time range").check()
    watched.wait_for_address("from=")
    fixed = told.inner_text()
    watched.open_panel("Timeline")
    state = page.locator(".timeline-state")
    expect(state).to_contain_text("events")
    events = number_at(state)
    wait_for_more(page, state, events)
    page.go_back()
    expect(told).to_have_text(fixed)
    page.go_forward()
    expect(state).to_contain_text("events")
    wait_for_more(page, state, events)


def test_tensors_and_layers_grow(watch):
    watched = watch("tensors")
    page = watched.page
    figure = watched.figure("CrossEntropyLoss_output_0")
    watched.wait_until_drawn(figure.locator("canvas"))
    figure.get_by_role("button", name="Show table").click()
    last = figure.locator("tbody th").last
    wait_for_more(page, last, number_at(last))
    watched.open_panel("Layers")
    slider = page.get_by_role("slider", name="Step shown in the layer profile")

    def last_step() -> int:
        return int(re.findall(r"\d+", slider.get_attribute("aria-valuetext") or "0")[-1])

    watched.wait_until(lambda: last_step() > 0)
    before = last_step()
    watched.wait_until(lambda: last_step() > before)


def test_logs_follow(watch, job):
    watched = watch("logs")
    page = watched.page
    lines = page.get_by_role("log").locator(".logs-line")
    expect(lines.first).to_be_attached()
    count = lines.count()
    expect(lines).not_to_have_count(count)
    last = lines.last.locator("span").inner_text()
    assert re.fullmatch(r"step \d+: loss \d\.\d+", last), last
    assert last in job.service.log_of("live")
    expect(lines.last).to_be_in_viewport()
    # Who scrolls up reads: the end is not forced on them.
    log = page.get_by_role("log")
    watched.wait_until(lambda: log.evaluate("log => log.scrollHeight - log.clientHeight") > 100)
    log.evaluate("log => { log.scrollTop = 0 }")
    expect(page.get_by_label("Follow")).not_to_be_checked()
    count = lines.count()
    expect(lines).not_to_have_count(count)
    assert log.evaluate("log => log.scrollTop") == 0
    page.get_by_label("Search the log").fill("step 5:")
    watched.wait_for_address("q=step")
    expect(lines).to_have_count(1)
    expect(lines.locator("mark")).to_have_text("step 5:")


def test_the_profile_of_a_training_that_goes_on(watch):
    page = watch("profiler").page
    expect(page.get_by_text("Still running, as of")).to_be_visible()
    expect(page.get_by_text("Profiler output: s3://demo-bucket/profile/live")).to_be_visible()
    page.get_by_role("link", name="Rules", exact=True).first.click()
    expect(page.get_by_role("heading", name="Rules", exact=True)).to_be_in_viewport()


def test_the_interval_is_changed(watch, job):
    page = watch("overview").page
    interval = page.get_by_label("Sampling interval")
    expect(interval).to_have_value("500")
    interval.select_option("1000")
    expect(page.get_by_text("Sampling interval changed.").first).to_be_attached()
    assert job.describe()["ProfilerConfig"]["ProfilingIntervalInMilliseconds"] == 1000
    page.reload()
    expect(interval).to_have_value("1000")


def test_monitoring_is_switched_off_and_on(watch, job):
    page = watch("overview").page
    page.get_by_role("button", name="Profiling on", exact=True).click()
    off = page.get_by_role("button", name="Profiling off", exact=True)
    expect(off).to_be_visible()
    assert job.describe()["ProfilingStatus"] == "Disabled"
    off.click()
    expect(page.get_by_role("button", name="Profiling on", exact=True)).to_be_visible()
    assert job.describe()["ProfilingStatus"] == "Enabled"


def test_framework_profiling_is_switched_off_and_on(watch, service, job):
    watched = watch("overview")
    page = watched.page
    search = f"runs/{run_named(service, 'live')}/timeline/search?q=aten::&limit=0"
    page.get_by_role("button", name="Framework profiling on").click()
    off = page.get_by_role("button", name="Framework profiling off")
    expect(off).to_be_visible()
    assert job.describe()["ProfilerConfig"]["ProfilingParameters"] == {}
    assert job.describe()["ProfilingStatus"] == "Enabled"  # The machine is still monitored.
    before = ask(service, search)["total"]
    off.click()
    expect(page.get_by_role("button", name="Framework profiling on")).to_be_visible()
    # Operators of the next steps.
    watched.wait_until(lambda: ask(service, search)["total"] > before)


def test_operators_of_the_next_steps_are_recorded_as_often_as_asked(watch, service):
    watched = watch("overview")
    search = f"runs/{run_named(service, 'live')}/timeline/search?q=aten::addmm&limit=0"
    for _ in range(2):
        before = ask(service, search)["total"]
        watched.page.get_by_role("button", name="Profile 10 steps").click()
        told = watched.page.get_by_text("Recording operators and kernels of the next 10 steps.")
        expect(told.first).to_be_attached()
        watched.wait_until(lambda before=before: ask(service, search)["total"] >= before + 10)


@pytest.fixture
def unprofiled(service):
    """A job that was started without any profiling."""
    started = Job(service, "unprofiled", ProfilerConfig={"DisableProfiler": True})
    started.wait_for(lambda job: job["SecondaryStatus"] == "Training")
    yield started
    started.stop()


def test_profiling_that_is_switched_on_is_shown(service, unprofiled, open_page):
    watched = open_page(service, panel_of(service, unprofiled.name, "system"))
    page = watched.page
    expect(page.get_by_role("heading", name="No system metrics")).to_be_visible()
    # Somebody has looked for metrics where none could be.
    metrics = f"runs/{run_named(service, unprofiled.name)}/metrics"
    assert ask(service, metrics)["nodes"] == []
    page.get_by_role("button", name="Profiling off", exact=True).click()
    expect(page.get_by_role("button", name="Profiling on", exact=True)).to_be_visible()
    watched.wait_until_drawn(watched.figure("CPU utilization").locator("canvas"))


def test_the_overview_says_what_the_job_runs_on(watch, job):
    page = watch("overview").page
    expect(page.get_by_role("heading", name="Information", exact=True)).to_be_visible()
    expect(fact(page, "ARN")).to_have_text(job.describe()["TrainingJobArn"])
    expect(fact(page, "Instance type")).to_have_text("ml.m5.xlarge")
    expect(fact(page, "Nodes")).to_have_text("algo-1")
    expect(fact(page, "Profiler output")).to_contain_text("s3://demo-bucket/profile/live")


def test_a_rule_is_added(watch, job):
    watched = watch("overview")
    page = watched.page
    page.get_by_role("button", name="Rules …").click()
    dialog = page.get_by_role("dialog", name="Profiler rules")
    dialog.get_by_role("combobox", name="Rule", exact=True).select_option("new:CPUBottleneck")
    assert watched.check_accessibility() == []
    watched.forgives = lambda url: url.endswith("/rules")
    dialog.get_by_label("cpu_threshold").fill("much")
    dialog.get_by_role("button", name="Add the rule").click()
    expect(dialog.get_by_role("alert")).to_contain_text("cpu_threshold")
    watched.forgives = lambda url: False
    dialog.get_by_label("cpu_threshold").fill("75")
    dialog.get_by_role("button", name="Add the rule").click()
    expect(dialog).to_have_count(0)
    row = page.get_by_role("table", name="Rules").get_by_role("row", name="CPUBottleneck")
    expect(row.first).to_contain_text("cpu_threshold=75")
    (added,) = job.describe()["ProfilerRuleConfigurations"]
    assert added["RuleParameters"]["cpu_threshold"] == "75"


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_dialogs_by_keyboard(watch, device):
    watched = watch("overview", **device)
    page = watched.page
    wrong = []
    if device is PHONE:
        page.get_by_role("button", name="Control").press("Enter")
    for name, title in (("Rules …", "Profiler rules"), ("Stop …", "Stop live?")):
        opener = page.get_by_role("button", name=name)
        opener.press("Enter")
        dialog = page.get_by_role("dialog", name=title)
        expect(dialog.get_by_role("button").last).to_be_enabled()  # Once rules are loaded.
        wrong += problems(watched, title)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(opener).to_be_focused()
    assert wrong == []


def test_paused_it_holds_still(watch):
    page = watch("overview").page
    step = fact(page, "Step")
    expect(step).to_have_text(re.compile(r"^\d"))
    page.get_by_role("toolbar").get_by_role("button", name="Live", exact=True).click()
    expect(page.locator(".shell-live")).to_have_text("Paused")
    held, before = step.inner_text(), number_at(step)
    run = page.evaluate("location.hash.split('/')[2]")
    key = "{ headers: { 'X-Warden-Session': localStorage['warden-session'] } }"
    now = f"fetch('/-/api/runs/{run}', {key}).then((a) => a.json()).then((a) => a.last_step)"
    page.wait_for_function(f"() => {now}.then((step) => step > {before + 40})")
    assert step.inner_text() == held
    page.get_by_role("toolbar").get_by_role("button", name="Paused", exact=True).click()
    expect(step).not_to_have_text(held)


def test_the_service_is_killed_and_started_again(watch, service, job):
    watched = watch("overview")
    page = watched.page
    step = fact(page, "Step")
    expect(step).to_have_text(re.compile(r"^\d"))
    live = page.locator(".shell-live")
    expect(live).to_have_text("Live")
    watched.forgives = lambda url: True
    service.kill()
    expect(live).to_have_text("Reconnecting")
    pause = page.get_by_role("toolbar").get_by_role("button", name="Not live")
    expect(pause).to_have_attribute("aria-pressed", "false")
    # What was known stays on the screen.
    held = number_at(step)
    expect(page.get_by_role("heading", level=1)).to_have_text("live")
    service.start()
    expect(live).to_have_text("Live")
    expect(pause).to_have_count(0)
    wait_for_more(page, step, held + 20)
    watched.forgives = lambda url: False
    watched.open_panel("Tensors")
    watched.wait_until_drawn(page.locator(".plot-box canvas"))


def test_a_finding_arrives(watch, job, service, capsys):
    watched = watch("overview")
    phone = watch("overview", **PHONE)
    page = watched.page
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("No problems so far")
    page.evaluate(
        """() => new MutationObserver(() => {
             if (document.querySelector('.overview-finding')) window.seen ??= Date.now() / 1000;
           }).observe(document.body, { childList: true, subtree: true })"""
    )
    recorded = job.note_first_finding()
    job.vanish_file.touch()
    item = page.locator(".overview-finding").first
    expect(item).to_contain_text("is below")
    late = page.evaluate("window.seen") - recorded.result(timeout=PATIENCE)
    with capsys.disabled():
        print(f"\na finding was on the screen {late:.2f} s after it was recorded")
    assert late < SOON / 1000
    # Also said, also on a phone, also in the title and in the list.
    expect(page.locator("[role=status]", has_text="VanishingGradient").first).to_be_attached()
    expect(phone.page.locator(".overview-finding").first).to_contain_text("is below")
    page.wait_for_function("() => /^\\(\\d+\\) live/.test(document.title)")
    expect(page.locator(".overview-incident")).to_contain_text("VanishingGradient")
    page.get_by_text("All findings").click()
    expect(item.get_by_role("img")).to_be_visible()
    article = page.locator("article", has_text="VanishingGradient")

    def tells_all() -> bool:
        # Anew each time: more are found.
        rules = ask(service, "runs/live")["rules_seen"]
        (rule,) = (rule for rule in rules if rule["name"] == "VanishingGradient")
        return f"{len(rule['findings'])} findings" in article.inner_text()

    watched.wait_until(tells_all, article.inner_text)
    page.get_by_role("link", name="Tensorwarden: all runs").click()
    row = page.locator("tr[data-run]", has_text="live")
    expect(row.locator("td.runs-c-findings")).to_contain_text("problem")


def test_stopping_asks_first(watch, job):
    watched = watch("overview")
    page = watched.page
    page.get_by_role("button", name="Stop …").click()
    dialog = page.get_by_role("dialog", name="Stop live?")
    expect(dialog.get_by_role("button", name="Keep training")).to_be_focused()
    assert watched.check_accessibility() == []
    dialog.get_by_role("button", name="Keep training").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Stop …").click()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert job.describe()["TrainingJobStatus"] == "InProgress"
    page.get_by_role("button", name="Stop …").click()
    dialog.get_by_role("button", name="Stop the training").click()
    status = page.locator(".run-head .badge")
    expect(status).to_have_text("Stopped")
    assert job.describe()["TrainingJobStatus"] == "Stopped"
    stop = page.get_by_role("button", name="Stop …")
    expect(stop).to_have_attribute("aria-disabled", "true")
