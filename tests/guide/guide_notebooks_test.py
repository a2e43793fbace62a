"""The examples of SageMaker's documentation run as they are printed there, and so do the jobs that
they start."""

import pytest
from notebooks import ANALYSIS, DEBUGGING, PROFILING

CELLS = [
    cell
    for notebook in (DEBUGGING, PROFILING, ANALYSIS)
    for cell in notebook
    if isinstance(cell, str)
]


@pytest.mark.parametrize("name", CELLS)
def test_example(results, name):
    assert results[name]["error"] is None, results[name]["output"] + results[name]["error"]


def test_what_stands_between_the_examples(results):
    errors = {name: cell["error"] for name, cell in results.items() if cell["error"]}
    assert not {name: error for name, error in errors.items() if name not in CELLS}


def test_the_jobs_of_the_examples(results, service):
    started = {job: name for name, cell in results.items() for job in cell["jobs"]}
    assert len(started) > 25
    problems = []
    for job, name in started.items():
        done = service.wait_until_over(job)
        expected = "Stopped" if name == "long job" else "Completed"
        if done["TrainingJobStatus"] != expected:
            problems.append((name, done["TrainingJobStatus"], done.get("FailureReason")))
        rules = done.get("DebugRuleEvaluationStatuses", [])
        rules += done.get("ProfilerRuleEvaluationStatuses", [])
        problems += [
            (name, rule["RuleConfigurationName"], rule.get("StatusDetails"))
            for rule in rules
            if rule["RuleEvaluationStatus"] not in ("NoIssuesFound", "IssuesFound", "Stopped")
        ]
    assert not problems
