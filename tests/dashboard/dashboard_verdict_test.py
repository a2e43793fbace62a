"""The verdict: what is wrong, what is fine, and what nobody could check."""

import json
import subprocess

import pytest
from browsing import ask, panel_of, run_named
from playwright.sync_api import expect
from serving import WARDEN, Service
from unhappy import DIVERGED, FIRST_NAN

from tensorwarden.files.file_writer import FileWriter


def verdict_of(watched):
    return watched.page.get_by_role("region", name="Verdict")


def names_in(rules: list[dict]) -> set[str]:
    return {rule["name"] for rule in rules}


def test_what_is_fine_follows_what_is_wrong(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "broken", "overview"))
    detail = ask(recorded, f"runs/{run_named(recorded, 'broken')}")
    verdict = verdict_of(watched)
    expect(verdict).to_have_attribute("data-tone", "bad")
    expect(verdict.get_by_role("heading", level=2)).to_contain_text("problem")
    fine = verdict.locator(".overview-fine")
    healthy = [one for one in detail["rules_seen"] if one["status"] == "NoIssuesFound"]
    for name in names_in(healthy):
        expect(fine).to_contain_text(name)
    incidents = verdict.get_by_role("list", name="Incidents")
    assert incidents.bounding_box()["y"] < fine.bounding_box()["y"]


def test_rules_that_do_not_apply_are_told_from_rules_without_data(recorded, open_page):
    watched = open_page(recorded, panel_of(recorded, "broken", "overview"))
    detail = ask(recorded, f"runs/{run_named(recorded, 'broken')}")
    silent = [one for one in detail["rules_seen"] if one["status"] == "NotEvaluated"]
    verdict = verdict_of(watched)
    # This machine has no GPU, and the run has one worker.
    assert "LowGPUUtilization" in names_in([one for one in silent if not one["applies"]])
    for applies, label, words in (
        (True, "Rules without data", "had no data to check"),
        (False, "Rules that do not apply", "not applicable to this run"),
    ):
        rules = [one for one in silent if one["applies"] == applies]
        if not rules:
            continue
        listed = verdict.get_by_role("list", name=label)
        expect(listed).to_be_hidden()
        summary = verdict.locator("summary", has_text=words)
        expect(summary).to_contain_text(str(len(rules)))
        summary.click()
        expect(listed.get_by_role("listitem")).to_have_count(len(rules))
        for rule in rules:
            name = watched.page.get_by_text(rule["name"], exact=True)
            item = listed.get_by_role("listitem").filter(has=name)
            expect(item).to_contain_text(rule["reason"].rstrip(".")[1:])


def test_an_incident_leads_to_its_evidence(unhappy, open_page):
    watched = open_page(unhappy, panel_of(unhappy, DIVERGED, "overview"))
    page = watched.page
    incident = (
        verdict_of(watched).get_by_role("list", name="Incidents").locator(":scope > li").first
    )
    expect(incident).to_contain_text(f"step {FIRST_NAN}")
    incident.get_by_role("link", name=f"Tensor at step {FIRST_NAN}").click()
    watched.wait_for_address("/tensors?", f"step={FIRST_NAN}")
    expect(page.get_by_role("group", name="Selected tensors")).to_contain_text("loss")


@pytest.fixture
def short(tmp_path):
    """A service with a short run, and what adds a rule to it that had no data."""
    run = tmp_path / "runs/short"
    for step in range(5):
        with FileWriter(str(run), "worker_0", step=step) as writer:
            writer.write_tensor([1.0 / (1 + step)], "loss_output_0", mode_step=step)
    (run / "training_job_end.ts").touch()
    command = [WARDEN, "eval", str(run), "--rules", "ExplodingTensor", "--record"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()

    def add_rule(name: str, reason: str) -> None:
        record = {"name": name, "rule": name, "status": "NotEvaluated", "reason": reason}
        place = run / "rule-output" / name
        place.mkdir()
        (place / "status.json").write_text(json.dumps(record))

    yield service, add_rule
    service.stop()


def test_no_all_clear_while_a_rule_could_not_check(short, open_page):
    service, add_rule = short
    watched = open_page(service, panel_of(service, "short", "overview"))
    verdict = verdict_of(watched)
    heading = verdict.get_by_role("heading", level=2)
    expect(heading).to_have_text("No problems found")
    expect(verdict).to_have_attribute("data-tone", "good")
    # One that has no business here changes nothing.
    add_rule("LowGPUUtilization", "no GPU found on this node")
    expect(verdict.locator("summary", has_text="not applicable")).to_be_visible()
    expect(heading).to_have_text("No problems found")
    add_rule("NotLearning", "needs 80 training losses, found 5")
    expect(heading).to_have_text("Not fully checked")
    expect(verdict).to_have_attribute("data-tone", "quiet")
    expect(verdict).to_contain_text("NotLearning could not check this run")
    watched.go("#/runs")
    expect(watched.page.locator("td.runs-c-findings .badge")).to_have_text("not fully checked")


def test_red_in_the_list_is_for_problems_only(recorded, open_page):
    page = open_page(recorded).page
    runs = ask(recorded, "runs")["runs"]
    expect(page.locator("a.runs-name")).to_have_count(len(runs))
    for run in runs:
        row = page.locator(f"tr[data-run='{run['id']}']")
        bad = row.locator("td.runs-c-findings .badge.bad")
        problems = run["incident_counts"]["problem"]
        expect(bad).to_have_count(1 if problems else 0)
        if problems:
            expect(bad).to_have_text(f"{problems} problem{'s' * (problems > 1)}")
