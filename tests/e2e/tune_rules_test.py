"""Labels, back-tests, shadow rules and baselines on the command line."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"
GOLDEN = ROOT / "tests" / "golden" / "pt_cnn_mixed" / "trial"
SCRIPT = ROOT / "tests" / "corpus" / "scripts" / "tabular_regression_mlp.py"
LR = "lr=5e-3"
SEED = "torch.manual_seed(1)"


def warden(*arguments, cwd=None, timeout=300):
    return subprocess.run(
        [str(WARDEN), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=cwd,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def told(*arguments, cwd=None):
    """What a command that works prints as JSON."""
    done = warden(*arguments, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def run(tmp_path):
    return Path(shutil.copytree(GOLDEN, tmp_path / "runs" / "a"))


def test_a_label_is_kept_in_the_run(run):
    assert told("label", run)["label"] is None
    done = warden("label", run, "bad", "--since", 3, "--note", "wrong\ndata")
    assert done.returncode == 0 and "bad since step 3 (wrong" in done.stdout
    label = told("label", run)
    assert label["label"] == "bad" and label["since"] == 3 and label["note"] == "wrong\ndata"
    assert json.loads((run / "warden" / "label.json").read_text())["label"] == "bad"
    assert warden("trial", "verify", run).returncode == 0
    assert told("label", run, "good")["since"] is None
    assert told("label", run, "--remove")["label"] is None
    assert not (run / "warden" / "label.json").exists()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["fine"], "LABEL is 'fine'; expected good or bad"),
        (["good", "bad"], "expected good or bad"),
        (["good", "--since", "3"], "--since"),
        (["bad", "--since", "soon"], "--since is 'soon'"),
        (["bad", "--since", "-1"], "-1"),
        (["bad", "--since", "1000000"], "the last step of the run"),
        (["--note", "x"], "--note"),
        (["good", "--remove"], "exclude"),
    ],
)
def test_bad_labels_are_refused(run, arguments, message):
    done = warden("label", run, *arguments)
    assert done.returncode == 2, done.stdout
    assert message in done.stderr
    assert not (run / "warden" / "label.json").exists()


def test_labels_of_what_is_not_a_run_are_refused(tmp_path):
    done = warden("label", tmp_path / "none", "good")
    assert done.returncode != 0 and "no such folder" in done.stderr


def test_backtest_counts_by_rule_and_value(run):
    runs = run.parent
    rule = "AllZero:tensor_regex=conv.*weight"
    shutil.copytree(run, runs / "b")
    shutil.copytree(run, runs / "c")
    warden("label", run, "good")
    warden("label", runs / "b", "bad", "--since", 0)
    vary = "AllZero.threshold=0,100"
    result = told("backtest", "--rules", rule, "--vary", vary, runs)
    assert [one["label"] for one in result["runs"]] == ["good", "bad", None]
    assert result["total"]["runs"] == 2
    everything, nothing = result["varied"]
    assert everything["value"] == "0" and everything["recall"] == 1
    assert everything["false_alarms"] == 1 and everything["precision"] == 0.5
    assert everything["median_delay"] == 0
    assert nothing["true_alarms"] == 0 and nothing["precision"] is None

    done = warden("backtest", "--rules", rule, "--vary", vary, runs)
    assert done.returncode == 0, done.stderr
    assert "2 runs: 1 good, 1 bad" in done.stdout
    assert "All rules" in done.stdout and "50 %" in done.stdout
    assert f"Not labeled, not counted (warden label RUN good|bad)\n  {runs / 'c'}" in done.stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--rules", "NoSuchRule"], "unknown rule 'NoSuchRule'"),
        (["--rules", "/no/such/rules.json"], "--rules: cannot open /no/such/rules.json"),
        (["--vary", "AllZero"], "--vary: 'AllZero': expected RULE.parameter="),
        (["--vary", "AllZero.limit=1"], "limit"),
        (["--vary", "LossSpike.threshold=x"], "threshold is 'x'"),
        (["--vary", "LossSpike.threshold=9..1"], "LOW less than HIGH"),
        (["--recorded", "--rules", "AllZero"], "--recorded"),
        (["/no/such/run"], "/no/such/run"),
    ],
)
def test_bad_backtests_are_refused(run, arguments, message):
    done = warden("backtest", run, *arguments)
    assert done.returncode != 0 and message in done.stderr, done.stderr


def test_backtest_names_runs_with_a_damaged_label(run):
    (run / "warden").mkdir(exist_ok=True)
    (run / "warden" / "label.json").write_text("{")
    done = warden("backtest", run)
    assert done.returncode == 1
    assert "Not evaluated" in done.stdout and "label.json" in done.stdout


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": "tensorwarden-baseline", "version": 9}', "\x00\xff"]
)
def test_hostile_baselines_are_refused(run, tmp_path, text):
    file = tmp_path / "bad.json"
    file.write_text(text)
    for arguments in (["eval", run, "--baseline", file], ["baseline", "show", file]):
        done = warden(*arguments)
        assert done.returncode not in (0, 3), done.stdout
        assert "bad.json" in done.stderr


def test_a_baseline_of_no_run_is_refused(run, tmp_path):
    assert "no runs in" in warden("baseline", "learn", tmp_path / "none").stderr
    warden("label", run, "bad")
    done = warden("baseline", "learn", run)
    assert done.returncode == 2 and "labeled bad" in done.stderr
    assert "none of the 1 runs" in warden("baseline", "learn", tmp_path).stderr
    done = warden("eval", run, "--baseline", "last-good")
    assert done.returncode == 2 and "does not say which command wrote it" in done.stderr


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Runs of one script: three seeds, and a learning rate that is 30 times too high."""
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("trained")
    source = SCRIPT.read_text()
    assert LR in source and SEED in source
    for name, seed, lr in (("a", 1, LR), ("b", 2, LR), ("c", 3, LR), ("wild", 4, "lr=0.15")):
        script = source.replace(SEED, f"torch.manual_seed({seed})").replace(LR, lr)
        (folder / "train.py").write_text(script)
        done = warden(
            "run", "--out", f"runs/{name}", "--shadow", "LossNotDecreasing:num_steps=1",
            "--", sys.executable, "train.py",
            cwd=folder,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        (folder / f"{name}.txt").write_text(done.stderr)
    return folder


def test_shadow_rules_are_recorded_and_nobody_acts(trained):
    text = (trained / "a.txt").read_text()
    assert "Shadow rules would have reported: LossNotDecreasing (" in text
    assert "! LossNotDecreasing" not in text and "No problems found" in text
    records = trained / "runs" / "a" / "rule-output"
    status = json.loads((records / "shadow" / "LossNotDecreasing" / "status.json").read_text())
    assert status["shadow"] is True and status["status"] == "IssuesFound"
    assert (records / "shadow" / "LossNotDecreasing" / "firings.jsonl").exists()
    assert not (records / "LossNotDecreasing").exists()
    warden("label", "runs/a", "good", cwd=trained)
    result = told("backtest", "--recorded", "runs", cwd=trained)
    shadow = [rule for rule in result["rules"] if rule["shadow"]]
    assert [rule["name"] for rule in shadow] == ["LossNotDecreasing"]
    assert shadow[0]["false_alarms"] == 1 and result["total"]["false_alarms"] == 0


def test_shadow_rules_do_not_stop_a_training(trained):
    done = warden(
        "watch", "runs/b", "--rules", "none", "--shadow", "LossNotDecreasing:num_steps=1",
        cwd=trained,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "Shadow rules would have reported: LossNotDecreasing" in done.stdout
    done = warden(
        "watch", "runs/b", "--shadow", "AllZero:tensor_regex=x", "--stop-on", "AllZero",
        cwd=trained,
    )  # fmt: skip
    assert done.returncode == 2 and "--stop-on: rule 'AllZero'" in done.stderr


def test_another_seed_is_inside_the_baseline_and_a_wild_run_outside(trained):
    learned = told("baseline", "learn", "--out", "good.json", "runs/a", "runs/b", cwd=trained)
    assert learned["tensors"] > 5
    shown = warden("baseline", "show", "good.json", "--regex", "weight", cwd=trained)
    assert shown.returncode == 0 and "norm" in shown.stdout and "FROM STEP 0" in shown.stdout
    same = warden("eval", "runs/c", "--rules", "none", "--baseline", "good.json", cwd=trained)
    assert same.returncode == 0, same.stdout
    assert "No problems found (1 rule checked)" in same.stdout
    wild = warden(
        "eval", "runs/wild", "--rules", "none", "--baseline", "good.json", "--json", cwd=trained
    )
    assert wild.returncode == 3, wild.stdout
    rule = json.loads(wild.stdout)["rules"][0]
    assert rule["rule"] == "OutsideBaseline" and len(rule["findings"]) == 1
    message = rule["findings"][0]["message"]
    assert "tensors outside the range of 2 good runs, worst: " in message and "usual" in message


def test_the_last_good_run_is_a_baseline(trained):
    warden("label", "runs/a", "good", cwd=trained)
    for name in ("b", "c"):
        warden("label", f"runs/{name}", "bad", cwd=trained)
    try:
        wild = warden("eval", "runs/wild", "--baseline", "last-good", "--verbose", cwd=trained)
        assert wild.returncode == 3 and "the good run a" in wild.stdout, wild.stdout + wild.stderr
    finally:
        for name in ("b", "c"):
            warden("label", f"runs/{name}", "--remove", cwd=trained)
    (trained / "train.py").write_text(SCRIPT.read_text().replace(SEED, "torch.manual_seed(9)"))
    done = warden(
        "run", "--out", "runs/d", "--baseline", "last-good", "--verbose",
        "--", sys.executable, "train.py", cwd=trained,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "comparing with " in done.stderr and "No problems found" in done.stderr


def test_the_first_run_of_a_script_has_no_good_one_before_it(tmp_path):
    done = warden("run", "--baseline", "last-good", "--", "true", cwd=tmp_path)
    assert done.returncode == 0
    assert "no good run of true" in done.stderr and "Training without a baseline" in done.stderr
