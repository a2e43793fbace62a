"""A hostile job finds no way out of its box: not to other jobs, not to the service, not to root."""

import json
import os
import socket
import stat
import tarfile
import tempfile
import urllib.error
from pathlib import Path

import pytest
from isolated import skip_without_isolation
from serving import ROOT, SCRIPTS, Service, debug_rule, script_job, wait_until

SECRET = "secret-" + "of-the-service"


@pytest.fixture
def folder(request, tmp_path):
    """Of the service. In /tmp nothing has to be hidden: each job has its own."""
    if not hasattr(request, "param"):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="hostile-", dir=request.param) as made:
        yield Path(made)


@pytest.fixture
def sockets(monkeypatch):
    """Those by which a job could have programs of the machine work for it. One is always there."""
    with tempfile.TemporaryDirectory(prefix="run-", dir=ROOT / "build") as runtime, socket.socket(
        socket.AF_UNIX
    ) as listener:
        Path(runtime).chmod(0o755)
        bus = Path(runtime, "bus")
        listener.bind(str(bus))
        bus.chmod(0o777)
        listener.listen()
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        known = ("docker.sock", "containerd/containerd.sock", "dbus/system_bus_socket")
        there = [f"/run/{name}" for name in known if Path("/run", name).is_socket()]
        yield [str(bus), *there]


@pytest.fixture
def service(folder, sockets, monkeypatch):
    monkeypatch.setenv("A_PASSWORD", SECRET)
    keys = folder / "keys"
    keys.write_text(
        "[default]\naws_access_key_id = WARDENKEY00000000001\naws_secret_access_key = "
        "0123456789012345678901234567890123456789\n"
    )
    keys.chmod(stat.S_IRUSR | stat.S_IWUSR)
    started = Service(folder, "--credentials", str(keys)).start()
    started.keys = keys
    started.sockets = sockets
    yield started
    assert started.stop() == 0


def model_of(service, name):
    return tarfile.open(service.data / f"s3/demo-bucket/out/{name}/output/model.tar.gz")


@pytest.fixture
def neighbor(service):
    """A job that trains as long as the test. Where all is that its neighbors must not find."""
    service.call("CreateTrainingJob", **script_job("neighbor", "neighbor.py"))
    service.wait_for("neighbor", lambda job: job["SecondaryStatus"] == "Training")
    wait_until(lambda: "begun" in service.log_of("neighbor"), lambda: service.log_of("neighbor"))
    skip_without_isolation(service, "neighbor")
    yield {
        "DATA": str(service.data),
        "NEIGHBOR": "neighbor",
        "CODE": str(SCRIPTS),
        "KEYS": str(service.keys),
        "SOCKETS": ":".join(service.sockets),
    }
    assert service.describe("neighbor")["TrainingJobStatus"] == "InProgress"
    service.call("StopTrainingJob", TrainingJobName="neighbor")
    service.wait_until_over("neighbor")


@pytest.mark.parametrize("folder", [ROOT / "build"], indirect=True, ids=["not in /tmp"])
def test_a_hostile_job_gets_nowhere(service, neighbor):
    service.call("CreateTrainingJob", **script_job("hostile", "hostile.py", Environment=neighbor))
    job = service.wait_until_over("hostile")
    assert job["TrainingJobStatus"] == "Completed", service.log_of("hostile")
    with model_of(service, "hostile") as model:
        told = json.load(model.extractfile("told.json"))
        assert len(told) >= 12
        assert told == dict.fromkeys(told, "")
        # Links are packed as links.
        assert {member.name for member in model if member.issym()} == {"token", "data"}


def custom_rule(name, source, **parameters):
    return debug_rule(name, source_s3_uri=source, **parameters)


def put(service, key, text):
    path = service.data / "s3" / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return f"s3://{key}"


def watched_job(name, **more):
    """A short training with tensors and a profile."""
    return script_job(
        name,
        "plain_train.py",
        DebugHookConfig={
            "S3OutputPath": "s3://demo-bucket/out",
            "HookParameters": {"save_interval": "5"},
            "CollectionConfigurations": [{"CollectionName": "losses"}],
        },
        ProfilerConfig={
            "S3OutputPath": "s3://demo-bucket/out",
            "ProfilingIntervalInMilliseconds": 100,
        },
        **more,
    )


def rule_statuses(job):
    return {
        one["RuleConfigurationName"]: (one["RuleEvaluationStatus"], one.get("StatusDetails"))
        for kind in ("Debug", "Profiler")
        for one in job[f"{kind}RuleEvaluationStatuses"]
    }


def test_a_hostile_rule_gets_nowhere_and_an_honest_one_works(service, neighbor):
    """Code of whoever made the job, too; of the service it sees the runs that it checks."""
    put(service, "other-bucket/secret", "of others")
    honest = put(service, "demo-bucket/rules/own.py", (SCRIPTS / "own_rule.py").read_text())
    hostile = f"file://{SCRIPTS}/hostile_rule.py"
    wanted = {name.lower(): value for name, value in neighbor.items()}
    service.call(
        "CreateTrainingJob",
        **watched_job(
            "rules-1",
            DebugRuleConfigurations=[
                custom_rule("honest", honest, rule_to_invoke="LossIsThere"),
                custom_rule("hostile", hostile, rule_to_invoke="Hostile", **wanted),
                custom_rule("binary", put(service, "demo-bucket/rules/own.so", "ELF")),
                custom_rule("curious", f"file://{service.data}/token"),
            ],
            ProfilerRuleConfigurations=[
                custom_rule("profiling", hostile, rule_to_invoke="HostileProfiler", **wanted),
            ],
        ),
    )
    job = service.wait_until_over("rules-1")
    statuses = rule_statuses(job)
    for name in ("honest", "hostile", "profiling"):
        assert statuses[name][0] == "IssuesFound", statuses
    assert "a shared object cannot be isolated" in statuses["binary"][1]
    assert "belongs to the service" in statuses["curious"][1]
    output = service.data / "s3/demo-bucket/out/rules-1/rule-output"
    told = json.loads((output / "profiling/told.json").read_text())
    assert len(told) >= 16
    assert told == dict.fromkeys(told, "")
    assert (output / "profiling/pages/report.html").read_text() == "<p>report</p>"
    assert json.loads((output / "profiling/status.json").read_text())["status"] == "IssuesFound"
    assert [path for path in output.rglob("*") if path.is_symlink()] == []
    rules = service.data / "jobs/rules-1/rules"
    logs = "".join(path.read_text() for path in rules.glob("*-hostile-*/log/*"))
    told = dict(
        json.loads(line.partition("told ")[2]) for line in logs.splitlines() if "told [" in line
    )
    assert len(told) >= 16, logs
    assert told == dict.fromkeys(told, "")
    assert [*rules.glob("*/tmp.*")] == []


@pytest.mark.parametrize("place", ["", "/jobs", "/warden.db", "/token", "/../data/token"])
def test_the_service_does_not_hand_out_its_own_folder(service, place):
    """It would copy what the job cannot read itself."""
    service.call("CreateTrainingJob", **script_job("first", "quick.py"))
    service.wait_until_over("first")
    job = script_job("greedy", "quick.py")
    job["HyperParameters"]["sagemaker_submit_directory"] = f"file://{service.data}{place}"
    with pytest.raises(urllib.error.HTTPError) as refused:
        service.call("CreateTrainingJob", **job)
    assert "data folder of the service" in refused.value.read().decode()


def test_a_command_of_a_rule_sees_nothing_of_the_service(service, tmp_path):
    """An exec action is a program of whoever made the job, too."""
    out = tmp_path / "shared"
    out.mkdir()
    out.chmod(0o777)
    assert service.stop() == 0
    service.options += ("--share", str(out))
    service.start()
    look = f"env; cat {service.data}/token {service.data}/warden.db; id -u; echo whole"
    (out / "look.sh").write_text(f"({look}) > {out}/seen 2>&1\n")
    action = json.dumps({"name": "exec", "command": f"sh {out}/look.sh"})
    service.call(
        "CreateTrainingJob",
        **script_job(
            "acting",
            "vanishing.py",
            HyperParameters={"steps": "300"},
            DebugHookConfig={
                "S3OutputPath": "s3://demo-bucket/out",
                "HookParameters": {"save_interval": "1"},
                "CollectionConfigurations": [{"CollectionName": "gradients"}],
            },
            DebugRuleConfigurations=[
                debug_rule("VanishingGradient", threshold="0.0001", action_json=action)
            ],
        ),
    )
    service.wait_until_over("acting")
    skip_without_isolation(service, "acting")
    wait_until(
        lambda: (out / "seen").exists() and (out / "seen").read_text().endswith("whole\n"),
        service.log.read_text,
    )
    seen = (out / "seen").read_text()
    assert "WARDEN_RULE=VanishingGradient" in seen
    assert SECRET not in seen
    assert "No such file" in seen
    assert "SQLite format" not in seen
    if os.geteuid() == 0:
        assert seen.split()[-2] != "0"
