"""The overview of recorded runs: losses, findings, rules, and the ways from there."""

import json
import subprocess

from browsing import ask, panel_of, reads_as, run_named
from playwright.sync_api import expect
from serving import WARDEN

LOSS = "CrossEntropyLoss_output_0"


def trial_show(service, run: str, tensor: str, *options: str) -> dict:
    folder = service.folder / "runs" / run
    command = [WARDEN, "trial", "show", folder, tensor, "--json", *options]
    done = subprocess.run([str(word) for word in command], capture_output=True, check=True)
    return json.loads(done.stdout)


def test_the_loss_is_the_one_of_the_run(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "overview"))
    chart = watched.figure(LOSS)
    saved = trial_show(recorded, "images", LOSS)["stats"]["mean"]
    value = chart.locator(".plot-legend .plot-value")
    watched.wait_until_reads(value, saved)
    watched.wait_until_drawn(chart.locator("canvas"))
    chart.get_by_role("button", name="Show table").click()
    rows = chart.locator("tbody tr")
    steps = ask(recorded, f"runs/{run_named(recorded, 'images')}/tensors")["tensors"]
    expect(rows).to_have_count(next(one["steps"] for one in steps if one["name"] == LOSS))
    first = trial_show(recorded, "images", LOSS, "--mode", "TRAIN", "--step", "0")
    assert reads_as(rows.first.locator("td").inner_text(), first["stats"]["mean"])


def test_hyperparameters_that_the_run_saved(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "xgb_binary", "overview"))
    card = watched.page.locator("section", has_text="Hyperparameters saved by the run")
    expect(card.locator("dt")).to_have_text(["eta", "max_depth", "num_round", "objective"])
    expect(card.locator("dd").last).to_have_text("binary:logistic")
    expect(card.locator("dd").first).to_have_text("0.3")


def test_a_part_of_the_steps_is_in_the_address(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "overview"))
    page = watched.page
    plot = watched.figure(LOSS).locator(".plot-box")
    expect(watched.figure(LOSS).locator(".plot-value")).not_to_be_empty()
    plot.focus()
    page.keyboard.press("+")
    watched.wait_for_address("from=", "to=")
    zoomed = watched.address()
    page.reload()
    expect(page.get_by_role("button", name="Show all").first).to_be_visible()
    assert watched.address() == zoomed
    page.get_by_role("button", name="Show all").first.click()
    watched.wait_for_address("!from=")
    page.go_back()
    watched.wait_for_address("from=")
    expect(page.get_by_role("button", name="Show all").first).to_be_visible()
    page.go_forward()
    watched.wait_for_address("!from=")
    expect(page.get_by_role("button", name="Show all")).to_have_count(0)


def test_what_is_wrong_comes_first(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "broken", "overview"))
    page = watched.page
    incidents = ask(recorded, f"runs/{run_named(recorded, 'broken')}")["incidents"]
    assert incidents and incidents[0]["severity"] == "problem"
    order = ["problem", "warning", "note"]
    ranks = [order.index(incident["severity"]) for incident in incidents]
    assert ranks == sorted(ranks)
    region = page.get_by_role("region", name="Verdict")
    entries = region.get_by_role("list", name="Incidents").locator(":scope > li")
    expect(entries).to_have_count(len(incidents))
    for number, incident in enumerate(incidents):
        entry = entries.nth(number)
        expect(entry.locator(".badge")).to_have_text(incident["severity"].capitalize())
        expect(entry.get_by_role("heading")).to_have_text(incident["rule"])
        for words in (incident["headline"], f"since {incident['since']}", incident["advice"]):
            expect(entry).to_contain_text(words)
        for effect in incident["effects"][:8]:
            expect(entry).to_contain_text(f"{effect['rule']} since {effect['since']}")
    # Above everything else; single findings are one click away.
    top = {name: page.get_by_role("region", name=name).bounding_box()["y"] for name in
           ("Verdict", "Progress", "Losses and metrics")}  # fmt: skip
    assert sorted(top, key=top.get) == ["Verdict", "Progress", "Losses and metrics"]
    findings = region.locator(".overview-finding")
    expect(findings.first).to_be_hidden()
    page.get_by_text("All findings").click()
    expect(findings.first).to_be_visible()
    # Rules without data are no alarm.
    expect(page.locator(".notice.bad")).to_have_count(0)


def test_findings_lead_to_the_tensor_and_to_the_machine(recorded, open_page):
    address = panel_of(recorded, "broken", "overview")
    watched = open_page(recorded, address)
    page = watched.page
    page.get_by_text("All findings").click()
    detail = ask(recorded, f"runs/{run_named(recorded, 'broken')}")
    seen = {rule["name"]: rule for rule in detail["rules_seen"]}
    group = page.locator("article", has=page.get_by_role("heading", name="VanishingGradient"))
    count = len(seen["VanishingGradient"]["findings"])
    expect(group.locator(".badge").first).to_have_text(f"{count} findings")
    # The first is the nearest to the cause.
    first = min(seen["VanishingGradient"]["findings"], key=lambda finding: finding["id"])
    item = group.get_by_role("listitem").first
    cause = first["message"].removeprefix(f"{first['tensor']}: ").split(" at step ")[0]
    expect(item).to_contain_text(cause)
    expect(item.locator("code")).to_have_text(first["tensor"])
    expect(item.get_by_role("img")).to_be_visible()
    expect(group).to_contain_text(first["advice"])
    item.get_by_role("link", name=f"Tensor at step {first['step']}").click()
    watched.wait_for_address("/tensors?", f"step={first['step']}")
    chosen = page.get_by_role("group", name="Selected tensors")
    expect(chosen).to_contain_text(first["tensor"])
    page.go_back()  # The list is still open.
    expect(item).to_be_visible()
    page.go_forward()
    expect(chosen).to_contain_text(first["tensor"])
    page.go_back()
    item.get_by_role("link", name="System metrics at that time").click()
    watched.wait_for_address("/system?at=")
    expect(page.get_by_role("heading", name="Utilization")).to_be_visible()


def coverage_in_words(coverage: dict) -> str:
    tensors, steps = coverage["tensors"], f"{coverage['steps']} steps"
    return f"{tensors} tensor{'s' * (tensors > 1)} \u00d7 {steps}" if tensors else steps


def test_rules_tell_their_status_and_what_they_saw(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "broken", "overview"))
    page = watched.page
    rules = ask(recorded, f"runs/{run_named(recorded, 'broken')}")["rules_seen"]
    words = {"NoIssuesFound": "No problems found", "IssuesFound": "Problems found"}
    table = page.get_by_role("table", name="Rules")
    skipped = [rule for rule in rules if rule["status"] == "NotEvaluated"]
    for rule in rules:
        if rule in skipped:
            continue
        row = table.get_by_role("row").filter(
            has=page.get_by_role("rowheader").filter(has_text=rule["name"])
        )
        expect(row).to_contain_text(words[rule["status"]])
        if rule["kind"] == "debug":
            expect(row).to_contain_text(coverage_in_words(rule["coverage"]))
    expect(table.get_by_role("rowheader")).to_have_count(len(rules) - len(skipped))


def test_what_cannot_be_done_says_why(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "images", "overview"))
    page = watched.page
    detail = ask(recorded, f"runs/{run_named(recorded, 'images')}")
    stop = page.get_by_role("button", name="Stop …")
    expect(stop).to_have_attribute("aria-disabled", "true")
    stop.click(force=True)
    reason = page.locator(".corner .note")
    expect(reason).to_contain_text(detail["control"]["why_not"][1:])
    with page.expect_download() as download:
        page.get_by_role("button", name="Report", exact=True).click()
    assert download.value.suggested_filename.endswith("profiler-report.html")
    assert download.value.path().stat().st_size > 10_000
