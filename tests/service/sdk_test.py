"""The SageMaker SDK, unmodified, trains on the service and hears of what rules find."""

import json
import subprocess

import pytest
from serving import PATIENCE, PYTHON, SCRIPTS, SDK_PYTHON, Service


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("sdk")).start()
    yield started
    started.stop()


def run_sdk(service, script, *arguments):
    config = service.folder / "sdk.yaml"
    # Else the SDK tries to reach its makers.
    config.write_text(
        "SchemaVersion: '1.0'\n"
        "SageMaker:\n  PythonSDK:\n    Modules:\n      TelemetryOptOut: true\n"
    )
    done = subprocess.run(
        [SDK_PYTHON, SCRIPTS / "hurried.py", SCRIPTS / script, *arguments],
        env=service.environment(SAGEMAKER_USER_CONFIG_OVERRIDE=str(config)),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    return done.stdout


@pytest.fixture(scope="module")
def told(service):
    """What the estimator's user was told, from fit to the end."""
    out = run_sdk(service, "sdk_session.py", str(SCRIPTS), str(SCRIPTS / "own_rule.py"))
    line = next(line for line in out.splitlines() if line.startswith("TOLD "))
    return json.loads(line.removeprefix("TOLD ")) | {"output": out}


def test_rules_are_there_from_the_first_description_on(told):
    first = told["first"]
    assert first["TrainingJobStatus"] == "InProgress"
    assert [rule["RuleEvaluationStatus"] for rule in told["first_rules"]] == ["InProgress"] * 4
    assert [rule["RuleConfigurationName"] for rule in told["first_rules"]][:2] == [
        "VanishingGradient",
        "OwnRule",
    ]
    assert first["OutputDataConfig"]["KmsKeyId"] == ""
    assert first["DebugRuleConfigurations"][0]["VolumeSizeInGB"] == 0


def test_the_rule_stops_the_training(told):
    assert told["last"]["TrainingJobStatus"] == "Stopped"
    by_name = {rule["RuleConfigurationName"]: rule for rule in told["last_rules"]}
    vanishing = by_name["VanishingGradient"]
    assert vanishing["RuleEvaluationStatus"] == "IssuesFound"
    assert vanishing["StatusDetails"].startswith(
        "RuleEvaluationConditionMet: Evaluation of the rule VanishingGradient at step "
    )
    assert by_name["OwnRule"]["RuleEvaluationStatus"] == "IssuesFound"
    assert "InProgress" not in {rule["RuleEvaluationStatus"] for rule in told["last_rules"]}


def test_a_rule_is_a_processing_job(told):
    assert told["rule_job"]["ProcessingJobStatus"] == "Completed"
    assert "RuleEvaluationConditionMet" in told["rule_job"]["ExitMessage"]
    assert told["rule_job"]["Environment"]["rule_to_invoke"] == "VanishingGradient"
    assert told["rule_job"]["TrainingJobArn"].endswith(told["name"])


def test_the_profiler_is_changed_while_the_job_runs(told):
    updated = told["updated"]
    assert updated["ProfilerConfig"]["ProfilingIntervalInMilliseconds"] == 1000
    names = [rule["RuleConfigurationName"] for rule in updated["ProfilerRuleConfigurations"]]
    assert names[-1] == "CPUBottleneck"
    assert updated["RemoteDebugConfig"]["EnableRemoteDebug"] is True


def test_everything_is_where_the_sdk_says(told):
    name, keys = told["name"], told["objects"]
    assert told["paths"] == [
        f"s3://demo-bucket/{name}/{kind}-output" for kind in ("debug", "profiler", "tensorboard")
    ]
    for part in (
        "debug-output/collections/000000000/worker_0_collections.json",
        "debug-output/training_job_end.ts",
        "profiler-output/system/incremental/",
        "profiler-output/framework/",
        "rule-output/ProfilerReport/",
        "source/sourcedir.tar.gz",
    ):
        assert any(key.startswith(f"{name}/{part}") for key in keys), (part, keys)


def test_create_trial_reads_what_the_estimator_saved(service, told):
    script = (
        "import sys; from smdebug.trials import create_trial; "
        "trial = create_trial(sys.argv[1]); print(trial.steps()[0], trial.loaded_all_steps)"
    )
    done = subprocess.run(
        [PYTHON, "-c", script, told["paths"][0]],
        env=service.environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout == "0 True\n", done.stderr


def test_attaching_and_the_rest(told):
    assert told["attached"] == told["name"]
    assert told["model_data"].endswith(f"{told['name']}/output/model.tar.gz")
    assert len(told["caller"]) == 12
    assert "step 0: loss" in told["output"]


def test_waiting_shows_the_log_and_a_failure_raises(service):
    out = run_sdk(service, "sdk_waits.py", str(SCRIPTS))
    assert "begun" in out
    assert "ENDED 0 well" in out
    assert "ENDED 3 UnexpectedStatusException" in out
    assert "exit code: 3" in out.lower() or "ExitCode 3" in out
