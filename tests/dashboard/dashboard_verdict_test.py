"""The verdict: what is wrong, what is fine, and what nobody could check."""

import json
import subprocess
from pathlib import Path

import pytest
from browsing import ask, panel_of, run_named
from gpu_profile import START, write_gpu_run, write_metrics
from playwright.sync_api import expect
from serving import PATIENCE, WARDEN, Service
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


def evaluate(run: Path, rules: str, status: int = 0) -> None:
    """status: 3 if something is found."""
    command = [WARDEN, "eval", str(run), "--rules", rules, "--record"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == status, done.stdout + done.stderr


@pytest.fixture
def short(tmp_path):
    """A service with a short run, and the folder of that."""
    run = tmp_path / "runs/short"
    for step in range(5):
        with FileWriter(str(run), "worker_0", step=step) as writer:
            writer.write_tensor([1.0 / (1 + step)], "loss_output_0", mode_step=step)
    manifest = run / "collections/000000000/worker_0_collections.json"
    manifest.parent.mkdir(parents=True)
    names = {
        "losses": ["loss_output_0"],
        "training": ["training/epoch"],  # The loop was observed.
    }
    collections = {
        name: {"name": name, "include_regex": [], "tensor_names": tensors}
        for name, tensors in names.items()
    }
    manifest.write_text(json.dumps({"collections": collections, "_meta": {"num_workers": 1}}))
    (run / "training_job_end.ts").touch()
    evaluate(run, "ExplodingTensor")
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield service, run
    service.stop()


def test_no_all_clear_while_a_rule_could_not_check(short, open_page):
    service, run = short
    watched = open_page(service, panel_of(service, "short", "overview"))
    verdict = verdict_of(watched)
    heading = verdict.get_by_role("heading", level=2)
    expect(heading).to_have_text("No problems found")
    expect(verdict).to_have_attribute("data-tone", "good")
    # One that has no business here changes nothing.
    idle = {"name": "LowGPUUtilization", "rule": "LowGPUUtilization", "status": "NotEvaluated"}
    record = run / "rule-output/LowGPUUtilization/status.json"
    record.parent.mkdir()
    record.write_text(json.dumps({**idle, "reason": "no GPU found on this node"}))
    expect(verdict.locator("summary", has_text="not applicable")).to_be_visible()
    expect(heading).to_have_text("No problems found")
    evaluate(run, "NotLearning")
    expect(heading).to_have_text("Not fully checked")
    expect(verdict).to_have_attribute("data-tone", "quiet")
    expect(verdict).to_contain_text("NotLearning could not check this run")
    verdict.locator("summary", has_text="had no data to check").click()
    silent = verdict.get_by_role("list", name="Rules without data")
    expect(silent).to_contain_text("needs 80 training losses, found 5", ignore_case=True)
    watched.go("#/runs")
    expect(watched.page.locator("td.runs-c-findings .badge")).to_have_text("not fully checked")


FIRST_BAD = 3
SPOILT = 26  # Tensors that become NaN together.


@pytest.fixture
def spoilt(tmp_path):
    """A service with a run in which many tensors become NaN at the same step."""
    run = tmp_path / "runs/spoilt"
    for step in range(2 * FIRST_BAD):
        with FileWriter(str(run), "worker_0", step=step) as writer:
            for number in range(SPOILT):
                value = float("nan") if step >= FIRST_BAD else 1.0 + step
                writer.write_tensor([value, 1.0], f"gradient/layer{number}", mode_step=step)
    (run / "training_job_end.ts").touch()
    evaluate(run, "ExplodingTensor", 3)
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield service
    service.stop()


def test_a_nan_in_many_tensors_is_one_incident(spoilt, open_page):
    watched = open_page(spoilt, panel_of(spoilt, "spoilt", "overview"))
    verdict = verdict_of(watched)
    expect(verdict.get_by_role("heading", level=2)).to_have_text("1 problem")
    incidents = verdict.get_by_role("list", name="Incidents").locator(":scope > li")
    expect(incidents).to_have_count(1)
    expect(incidents).to_contain_text(f"since step {FIRST_BAD}")
    expect(verdict.locator("summary", has_text="All findings")).to_contain_text(str(SPOILT))
    expect(verdict.locator(".overview-finding").first).to_be_hidden()
    incidents.get_by_role("link", name="All layers").click()
    watched.wait_for_address("/layers", f"step={FIRST_BAD}")


# Samples of a machine: enough for the rules at the end of a run, and too few for any.
SHORT, SHORTER = 240, 24


@pytest.fixture
def watched_briefly(tmp_path):
    """A service with two runs, whose machine was watched for a short time."""
    for ticks in (SHORT, SHORTER):
        run = tmp_path / f"runs/{ticks}"
        system = run / "profiler-output/system/incremental/2026010112"
        write_metrics(system / f"{START}.algo-1.json", ticks)
        (run / "training_job_end.ts").touch()
        evaluate(run, "default")
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield service
    service.stop()


def test_no_all_clear_for_a_machine_that_was_watched_briefly(watched_briefly, open_page):
    watched = open_page(watched_briefly, panel_of(watched_briefly, str(SHORT), "overview"))
    verdict = verdict_of(watched)
    expect(verdict).to_have_attribute("data-tone", "warning")
    incident = verdict.get_by_role("list", name="Incidents").locator(":scope > li").first
    expect(incident).to_contain_text("LoadBalancing")
    expect(incident).to_contain_text("short run: 50 data points ignored at the start")
    expect(incident).to_contain_text("LowGPUUtilization since")
    watched.go(panel_of(watched_briefly, str(SHORTER), "overview"))
    expect(verdict.get_by_role("heading", level=2)).to_have_text("Not checked")
    expect(verdict).to_have_attribute("data-tone", "quiet")
    verdict.locator("summary", has_text="had no data to check").click()
    silent = verdict.get_by_role("list", name="Rules without data")
    expect(silent).to_contain_text(f"needs 51 data points, found {SHORTER}", ignore_case=True)


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


@pytest.fixture
def warned(tmp_path):
    """A service with a run in which nothing is wrong but the load of its GPUs."""
    run = tmp_path / "runs/warned"
    write_gpu_run(run)
    evaluate(run, "LoadBalancing:patience=2")
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    yield service
    service.stop()


def test_a_warning_is_not_red(warned, open_page):
    watched = open_page(warned)
    badge = watched.page.locator("td.runs-c-findings .badge")
    expect(badge).to_have_text("1 warning")
    expect(badge).to_have_class("badge warning")
    watched.go(panel_of(warned, "warned", "overview"))
    expect(verdict_of(watched)).to_have_attribute("data-tone", "warning")
