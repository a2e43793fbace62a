"""The examples of SageMaker's documentation run as they are printed there, and so do the jobs that
they start."""

import pytest
from notebooks import ANALYSIS, DEBUGGING, PROFILING, RULES

CELLS = [
    cell
    for notebook in (DEBUGGING, PROFILING, ANALYSIS)
    for cell in notebook
    if isinstance(cell, str)
]
# What some of them print or give.
PRINTED = {
    "p692-1": "Training job completed",
    "p705-1": "LossNotDecreasing",
    "p705-2": "debug-output",
    "p705-3": "profiler-output",
    "p705-4": "LossNotDecreasing",
    "p705-6": "CPUBottleneck",
    "p708-2": "profiler-report.html",
    "p709-1": "download:",
    "p740-2": "CrossEntropyLoss_output_0",
    "p740-3": "events.out.tfevents",
    "p832-1": "'EnableRemoteDebug': True",
    "p848-3": "rule-output/DetailedProfilerProcessing",
    "p914-2": "profiler-report.html",
    "p939-1": "pythontimeline.json",
    "p941-1": "merged_timeline.json",
    "tutorial-4": "Rule: VanishingGradient\n  Status: NoIssuesFound",
    "tutorial-6": "Loss values across 20 steps",
    "tutorial-7": "Mean:",
}


@pytest.mark.parametrize("name", CELLS)
def test_example(results, name):
    cell = results[name]
    assert cell["error"] is None, cell["output"] + cell["error"]
    assert PRINTED.get(name, "") in cell["output"] + cell["value"]


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


def test_all_built_in_rules_check_one_job(results, service):
    (job,) = results["all rules"]["jobs"]
    rules = service.describe(job)["DebugRuleEvaluationStatuses"]
    assert len({rule["RuleConfigurationName"] for rule in rules}) == len(RULES) == 20
