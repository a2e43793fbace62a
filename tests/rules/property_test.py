"""What `warden eval` says of made-up runs is what the reference says of them, rule by rule."""

import math
from functools import cache

import pytest
from made_up import write
from program import evaluate
from random_parameters import random_parameters
from random_runs import altered, random_run
from reference import RULES, expected_report

SEEDS = range(24)


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory):
    """Of each seed, made when it is first asked for: the program's reports and the reference's."""
    folder = tmp_path_factory.mktemp("rules")

    @cache
    def of(seed: int):
        run = random_run(seed)
        other = altered(run, seed)
        write(run, folder / f"run{seed}")
        write(other, folder / f"other{seed}")
        parameters = {rule: random_parameters(rule, seed) for rule in RULES}
        texts = {rule: dict(p) for rule, p in parameters.items()}
        texts["SimilarAcrossRuns"]["other_trials"] = str(folder / f"other{seed}")
        parameters["SimilarAcrossRuns"]["other"] = other
        ours = evaluate(folder / f"run{seed}", texts)
        return ours, {rule: expected_report(rule, run, p) for rule, p in parameters.items()}, texts

    return of


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rule", RULES)
def test_rule_follows_its_contract(evaluated, rule, seed):
    ours, reference, parameters = (of[rule] for of in evaluated(seed))
    found = {(f["step"], f["tensor"], f["worker"], f["mode"]): f for f in ours["findings"]}
    expected = {f[:4]: f for f in reference.findings}
    context = f"{rule} with {parameters}"
    missed, surplus = sorted(expected.keys() - found), sorted(found.keys() - expected)
    assert not missed and not surplus, f"{context}: missed {missed[:3]}, surplus {surplus[:3]}"
    for key, finding in expected.items():
        got = found[key]["last_step"], found[key]["count"]
        assert got == (finding.last_step, finding.count), f"{context}: {key}"
        if finding.value is not None:
            value = float(found[key]["value"])
            if rule == "LossNotDecreasing":
                value = abs(value)  # A rise is told as a positive number.
            same = math.isclose(value, finding.value, rel_tol=1e-6, abs_tol=1e-30)
            assert same, f"{context}: {key} has {value}, not {finding.value}"
    assert ours["status"] == reference.status, context
    assert ours["coverage"]["steps"] == reference.steps, context
    order = [(f["step"], f["tensor"], f["worker"]) for f in ours["findings"]]
    assert order == sorted(order), context


@pytest.mark.parametrize("rule", RULES)
def test_the_made_up_runs_tell_something(evaluated, rule):
    """Each rule fires somewhere, and somewhere a finding ends before the run does."""
    reports = [evaluated(seed)[1][rule] for seed in SEEDS]
    assert sum(report.status == "IssuesFound" for report in reports) >= 3
    assert any(report.status == "NoIssuesFound" for report in reports) or any(
        finding.count < report.steps for report in reports for finding in report.findings
    )
