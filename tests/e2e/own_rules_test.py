"""Rules of the user's own, in Python and as a shared object, evaluate runs by `warden eval`."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from smdebug.exceptions import RuleEvaluationConditionMet
from smdebug.rules import Rule
from smdebug.trials import create_trial

ROOT = Path(__file__).resolve().parents[2]
WARDEN = Path(os.environ.get("WARDEN", ROOT / "build/bin/warden")).absolute()
RUN = ROOT / "tests/golden/pt_cnn_mixed/trial"
EXAMPLE = ROOT / "examples/rules/my_rules.py"
PAGE = ROOT / "docs/guide/write-a-rule.md"
BLOCK = re.compile(r"^```(python|sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOUND, FAILED, MISUSED = 3, 1, 2


def warden(*arguments, code=0, **options):
    done = subprocess.run(
        [str(WARDEN), *map(str, arguments)], capture_output=True, text=True, timeout=300, **options
    )
    assert done.returncode == code, (arguments, done.stdout[-2000:], done.stderr[-2000:])
    return done


def evaluated(*arguments, run=RUN, **options) -> dict:
    """What `warden eval` says of each rule, by name."""
    verdicts = json.loads(warden("eval", run, *arguments, "--json", **options).stdout)
    assert verdicts["run"] == str(run)
    return {rule["name"]: rule for rule in verdicts["rules"]}


def own(folder: Path, lines: str) -> str:
    """A rule whose invoke_at_step consists of these lines."""
    text = "import os, time\nfrom smdebug.rules import Rule\nclass Own(Rule):\n"
    (folder / "own.py").write_text(f"{text}    def invoke_at_step(self, step):\n        {lines}\n")
    return f"{folder}/own.py:Own"


class Gradients(Rule):
    def __init__(self, base_trial, threshold):
        super().__init__(base_trial)
        self.threshold = threshold

    def invoke_at_step(self, step):
        names = self.base_trial.tensor_names(collection="gradients")
        means = [self.base_trial.tensor(n).reduction_value(step, "mean", abs=True) for n in names]
        return bool(max(means) > self.threshold)


def steps_above(threshold: float) -> list[int]:
    trial = create_trial(str(RUN))
    rule = Gradients(trial, threshold)
    found = []
    for step in trial.steps():
        try:
            rule.invoke(step)
        except RuleEvaluationConditionMet:
            found.append(step)
        except Exception:
            continue
    return found


def middle_mean() -> float:
    """A threshold above some of the steps' gradients and below others'."""
    trial = create_trial(str(RUN))
    names = trial.tensor_names(collection="gradients")
    means = []
    for step in trial.tensor(names[0]).steps():
        means.append(
            max(trial.tensor(n).reduction_value(step, "mean", abs=True).item() for n in names)
        )
    means.sort()
    return (means[len(means) // 2 - 1] + means[len(means) // 2]) / 2


def test_the_documented_rule():
    calm = evaluated("--rule", f"{EXAMPLE}:CustomGradientRule,threshold=20")["CustomGradientRule"]
    assert (calm["status"], calm["reason"], calm["findings"]) == ("NoIssuesFound", "", [])
    assert calm["parameters"]["threshold"] == "20"
    gradients = create_trial(str(RUN)).tensor_names(collection="gradients")
    assert calm["coverage"]["tensors"] == len(gradients)

    threshold = middle_mean()
    expected = steps_above(threshold)
    assert expected
    rule = f"{EXAMPLE}:CustomGradientRule,threshold={threshold!r}"
    found = evaluated("--rule", rule, code=FOUND)["CustomGradientRule"]
    assert found["status"] == "IssuesFound"
    assert sum(finding["count"] for finding in found["findings"]) == len(expected)
    first, last = found["findings"][0], found["findings"][-1]
    assert (first["step"], last["last_step"]) == (expected[0], expected[-1])
    assert first["message"] == f"the rule's condition was met at step {first['step']}"


def test_as_the_api_has_it(tmp_path):
    shutil.copy(EXAMPLE, tmp_path / "my_custom_rule.py")
    parameters = {
        "source_s3_uri": "my_custom_rule.py",
        "rule_to_invoke": "CustomGradientRule",
        "threshold": "20.0",
    }
    rules = [{"RuleConfigurationName": "MyCustomRule", "RuleParameters": parameters}]
    (tmp_path / "rules.json").write_text(json.dumps({"DebugRuleConfigurations": rules}))
    rule = evaluated("--rules-file", tmp_path / "rules.json")["MyCustomRule"]
    assert (rule["rule"], rule["status"]) == ("CustomGradientRule", "NoIssuesFound")


def test_beside_built_in_rules_and_twice(tmp_path):
    rule = own(tmp_path, "return step == 0")
    options = ["--rules", "AllZero:tensor_regex=.*", "--rule", rule, "--rule", rule]
    rules = evaluated(*options, code=FOUND)
    assert list(rules) == ["AllZero", "Own", "Own-2"]
    assert rules["Own"]["findings"] == rules["Own-2"]["findings"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("raise ValueError('bad luck')", "at step 0: ValueError: bad luck\nTraceback"),
        ("return 'yes'", "invoke_at_step returned 'yes'; expected True or False"),
        ("os._exit(9)", "at step 0, the rule process exited with code 9"),
        ("os.abort()", "at step 0, the rule process was killed by signal 6 (Aborted)"),
    ],
)
def test_a_rule_that_fails_fails_alone(tmp_path, lines, reason):
    done = evaluate_with_another(own(tmp_path, lines))
    check_that_it_failed_alone(done, reason)


def test_a_rule_that_does_not_answer_fails_alone(tmp_path):
    rule = own(tmp_path, "time.sleep(3600)")
    # On a busy machine, even loading it may take seconds.
    for seconds in (2, 10, 60):
        done = evaluate_with_another(f"{rule},timeout_seconds={seconds}")
        if "at step 0" in done.stdout:
            break
    reason = f"at step 0, the rule process did not answer within {seconds} s"
    check_that_it_failed_alone(done, reason)


def evaluate_with_another(rule: str) -> subprocess.CompletedProcess:
    options = ["--rule", rule, "--rules", "VanishingGradient:threshold=0", "--json"]
    command = [str(WARDEN), "eval", str(RUN), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def check_that_it_failed_alone(done: subprocess.CompletedProcess, reason: str) -> None:
    assert done.returncode == FAILED, (done.stdout[-2000:], done.stderr[-2000:])
    rules = {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}
    assert rules["Own"]["status"] == "Error"
    assert reason in rules["Own"]["reason"]
    assert rules["VanishingGradient"]["status"] == "NoIssuesFound"


def test_what_cannot_be_evaluated_is_said(tmp_path):
    lines = "return self.base_trial.tensor('nothing').value(step) > 0"
    rule = evaluated("--rule", own(tmp_path, lines))["Own"]
    assert rule["status"] == "NotEvaluated"
    assert "no tensor named 'nothing' was saved" in rule["reason"]
    assert rule["coverage"] == {"tensors": 0, "steps": 0}


def test_prints_go_to_standard_error(tmp_path):
    done = warden("eval", RUN, "--json", "--rule", own(tmp_path, "print('hello'); return False"))
    json.loads(done.stdout)
    assert "Own: hello" in done.stderr


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("none.py:Own", "none.py: no such file"),
        ("own.py:Onw", "own.py:Onw: class 'Onw' not found (rules in this file: Own)"),
        ("own.py:time", "'time' is not a subclass of smdebug.rules.Rule"),
        ("own.py:Own,limit=3", "got an unexpected keyword argument 'limit'"),
        ("broken.py:Own", "broken.py, line 1: SyntaxError"),
        ("none.so:Spike", "none.so: no such file"),
        ("text.so:Spike", "text.so:Spike: cannot load"),
    ],
)
def test_refusals(tmp_path, rule, why):
    own(tmp_path, "return False")
    (tmp_path / "broken.py").write_text("class Own(\n")
    (tmp_path / "text.so").write_text("text")
    done = warden("eval", RUN, "--rule", rule, code=MISUSED, cwd=tmp_path)
    assert why in done.stderr
    assert done.stdout == ""


def test_the_shared_object():
    spike = f"{WARDEN.parent}/spike.so:Spike"
    run = ROOT / "tests/golden/pt_save_all/trial"
    only = "factor=1e30,collection_names=gradients"
    rule = evaluated("--rule", f"{spike},{only}", run=run)["Spike"]
    assert rule["status"] == "NoIssuesFound"
    assert rule["coverage"]["tensors"] > 0
    rule = evaluated("--rule", f"{spike},factor=1.0001", run=run, code=FOUND)["Spike"]
    finding = rule["findings"][0]
    assert finding["value"] > finding["threshold"]
    assert finding["tensor"] in create_trial(str(run)).tensor_names()


def test_the_guide(tmp_path):
    """Its blocks do what they say, one after the other."""
    pytest.importorskip("torch")
    path = f"{WARDEN.parent}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}"
    environment = os.environ | {
        "PATH": path + os.environ["PATH"],
        "TENSORWARDEN": str(ROOT),
        "SMDEBUG_LOG_LEVEL": "warning",
    }
    printed = ""
    for language, code in BLOCK.findall(PAGE.read_text()):
        file = re.match(r"# (\w+\.py)\n", code)
        if file:
            (tmp_path / file[1]).write_text(code)
        elif language == "text":
            assert printed == code
        else:
            command = [sys.executable, "-c", code] if language == "python" else ["bash", "-c", code]
            done = subprocess.run(
                command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
            )
            assert done.returncode in (0, FOUND), (code, done.stderr)
            printed = done.stdout
    rule = json.loads((tmp_path / "results.json").read_text())["rules"][0]
    assert (rule["name"], rule["status"]) == ("MyCustomRule", "IssuesFound")
    assert ": gradient/Linear_" in rule["findings"][0]["message"]
