"""`warden serve`, `warden jobs` and `warden exec`, as people use them."""

import contextlib
import json
import os
import pty
import re
import select
import signal
import sqlite3
import stat
import subprocess
import time
import urllib.error

import pytest
from serving import (
    PATIENCE,
    PYTHON,
    WARDEN,
    Service,
    debug_rule,
    processes_with,
    script_job,
    wait_until,
    wait_until_gone,
)

FAILED, MISUSED, ISSUES = 1, 2, 3


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("jobs")).start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def warden(service):
    """Runs a command as the user of the service, who needs no flags."""

    def run(*words: str, code: int = 0, text: str = "") -> str:
        environment = {**os.environ, "HOME": str(service.folder / "home")}
        for name in ("XDG_CONFIG_HOME", "WARDEN_ENDPOINT", "WARDEN_TOKEN_FILE"):
            environment.pop(name, None)
        done = subprocess.run(
            [str(WARDEN), *words],
            env=environment,
            input=text,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 or code == ISSUES else done.stdout + done.stderr

    return run


@pytest.fixture(scope="module")
def sleeping(service, tmp_path_factory):
    """A job that goes on until it is stopped, with a name that no other run of the tests uses."""
    name = f"sleeping-{os.getpid()}"
    folder = tmp_path_factory.mktemp("sleeper")
    (folder / "sleeper.py").write_text(
        "import os, time\n"
        "print('I sleep as', os.environ['SM_CURRENT_HOST'], flush=True)\n"
        "time.sleep(600)\n"
    )
    job = script_job(name, "sleeper.py", RemoteDebugConfig={"EnableRemoteDebug": True})
    job["HyperParameters"]["sagemaker_submit_directory"] = f"file://{folder}"
    job["ResourceConfig"]["InstanceCount"] = 2
    service.call("CreateTrainingJob", **job)
    service.wait_for(name, lambda job: job["SecondaryStatus"] == "Training")
    wait_until(
        lambda: all("I sleep" in service.log_of(name, f"algo-{i}") for i in (1, 2)),
        service.log.read_text,
    )
    yield name
    if service.describe(name)["TrainingJobStatus"] == "InProgress":
        service.call("StopTrainingJob", TrainingJobName=name)
    service.wait_until_over(name)


def test_what_serve_says_has_no_secrets(service):
    said = service.said
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", said["endpoint"])
    assert said["token_file"] == str(service.data / "token")
    assert said["credentials"] == str(service.data / "credentials")
    secret = re.search(
        r"aws_secret_access_key\s*=\s*(\S+)", (service.data / "credentials").read_text()
    )[1]
    told = json.dumps(said) + service.log.read_text()
    assert service.token() not in told
    assert secret not in told
    for name in ("", "token", "credentials"):
        mode = (service.data / name).stat().st_mode
        assert mode & (stat.S_IRWXG | stat.S_IRWXO) == 0, name
    notice = service.folder / "home/.config/tensorwarden/service.json"
    assert stat.S_IMODE(notice.stat().st_mode) == 0o600
    assert said["python"] == str(PYTHON)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_service_whose_jobs_are_root_says_so(tmp_path):
    for options, expected in (["--jobs-as-root"], True), (["--isolation", "off"], True):
        service = Service(tmp_path, *options).start()
        warned = any("jobs run as root" in warning for warning in service.said["warnings"])
        assert warned is expected
        assert service.stop() == 0


def test_one_service_for_a_folder(service):
    command = [str(WARDEN), "serve", "--data", str(service.data), "--listen", "127.0.0.1:0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == FAILED
    assert f"in use by another service (process {service.process.pid})" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tls-cert", "x.pem"], "--tls-key"),
        (["--account", "12"], "12 digits"),
        (["--jobs-at-once", "0"], "expected an integer from 1 to 10000"),
        (["--stop-grace", "soon"], "expected an integer from 0 to 86400"),
        (["--listen", "nowhere"], "nowhere"),
    ],
)
def test_serve_names_what_is_wrong(tmp_path, options, message):
    command = [str(WARDEN), "serve", "--data", str(tmp_path / "data"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == MISUSED, done.stderr
    assert message in done.stderr


def test_without_a_service(tmp_path):
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run(
        [str(WARDEN), "jobs", "ls"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == FAILED
    assert "start one with 'warden serve'" in done.stderr


def test_the_life_of_a_job(service, warden, tmp_path):
    job = script_job(
        "living",
        "quick.py",
        DebugHookConfig={"S3OutputPath": "s3://demo-bucket/out"},
        DebugRuleConfigurations=[debug_rule("LossNotDecreasing")],
    )
    file = tmp_path / "job.json"
    file.write_text(json.dumps(job))
    arn = warden("jobs", "create", "--file", str(file))
    assert arn.strip().endswith(":training-job/living")
    assert "ResourceInUse" in warden("jobs", "create", "--file", str(file), code=FAILED)
    second = warden(
        "jobs", "create", "--file", "-", "--name", "second", "--json", text=file.read_text()
    )
    assert json.loads(second)["TrainingJobArn"].endswith("/second")
    assert warden("jobs", "wait", "living").strip() == "Completed"
    over = json.loads(warden("jobs", "wait", "living", "--rules", "--json"))
    assert over["TrainingJobStatus"] == "Completed"

    listed = json.loads(warden("jobs", "ls", "--json"))
    assert {"living", "second"} <= {job["TrainingJobName"] for job in listed}
    assert "living" in warden("jobs", "ls", "--status", "Completed", "--name-contains", "LIV")
    assert warden("jobs", "ls", "--name-contains", "no-such-thing") == ""
    shown = warden("jobs", "show", "living")
    assert "s3://demo-bucket/out/living/debug-output" in shown
    assert "Downloading" in shown
    assert "LossNotDecreasing" in warden("jobs", "rules", "living")
    rules = json.loads(warden("jobs", "rules", "living", "--json"))
    assert [rule["rule"] for rule in rules] == ["LossNotDecreasing"]
    assert warden("jobs", "logs", "living") == warden("jobs", "logs", "living", "-f")
    warden("jobs", "wait", "second", "--rules")
    warden("jobs", "rm", "living", "second")
    assert "no such job: living" in warden("jobs", "show", "living", code=FAILED)


def test_a_failure_is_told(warden, tmp_path):
    (tmp_path / "wrong.py").write_text("raise SystemExit('the data is wrong')")
    job = script_job("failing", "wrong.py")
    job["HyperParameters"]["sagemaker_submit_directory"] = f"file://{tmp_path}"
    (tmp_path / "job.json").write_text(json.dumps(job))
    warden("jobs", "create", "--file", str(tmp_path / "job.json"))
    assert "the data is wrong" in warden("jobs", "wait", "failing", code=FAILED)
    assert "the data is wrong" in warden("jobs", "logs", "failing")


def test_what_is_wrong_is_named(warden, tmp_path):
    file = tmp_path / "job.json"
    for text, message in [
        ("{", "job.json"),
        ("[]", "expected a JSON object"),
        ('{"TrainingJobName": "-"}', "ValidationException"),
    ]:
        file.write_text(text)
        assert message in warden("jobs", "create", "--file", str(file), code=MISUSED)
    assert "cannot open none.json" in warden("jobs", "create", "--file", "none.json", code=FAILED)
    assert "no such job: none" in warden("jobs", "logs", "none", code=FAILED)
    assert "nothing to change" in warden("jobs", "update", "x", code=MISUSED)
    assert "--limit" in warden("jobs", "ls", "--limit", "0", code=MISUSED)


def test_logs_of_several_hosts(warden, sleeping):
    both = warden("jobs", "logs", sleeping)
    assert "algo-1 I sleep as algo-1" in both
    assert "algo-2 I sleep as algo-2" in both
    assert "algo-1" not in warden("jobs", "logs", sleeping, "--host", "algo-2")
    told = [json.loads(line) for line in warden("jobs", "logs", sleeping, "--json").splitlines()]
    assert {line["host"] for line in told} == {"algo-1", "algo-2"}


def test_exec_runs_in_the_host(service, warden, sleeping):
    script = 'echo "$SM_CURRENT_HOST $TRAINING_JOB_NAME"; pwd; exit 9'
    out = warden("exec", sleeping, "--host", "algo-2", "--", "sh", "-c", script, code=9)
    assert out.replace("\r", "").startswith(f"algo-2 {sleeping}\n")
    isolated = "not isolated" not in service.log_of(sleeping, "algo-2")
    assert ("\n/opt/ml/code\n" if isolated else "/hosts/algo-2/") in out.replace("\r", "")
    wait_until(lambda: "closed: exit code 9" in service.log_of(sleeping, "algo-2"))
    log = service.log_of(sleeping, "algo-2")
    assert re.search(r"\[remote-debug\] 20\S+Z key token session \w+: opened from 127", log)


def test_exec_is_a_terminal(service, sleeping):
    environment = {**os.environ, "HOME": str(service.folder / "home"), "TERM": "vt100"}
    environment.pop("XDG_CONFIG_HOME", None)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(str(WARDEN), ["warden", "exec", sleeping, "--", "/bin/sh"], environment)
    output = ""

    def read_until(text: str) -> None:
        nonlocal output
        deadline = time.monotonic() + PATIENCE
        while text not in output:
            assert time.monotonic() < deadline, output
            if select.select([terminal], [], [], 0.2)[0]:
                output += os.read(terminal, 4096).decode(errors="replace")

    isolated = "not isolated" not in service.log_of(sleeping)
    read_until("$ " if os.geteuid() or isolated else "# ")
    # The echo is the child's own, so it has the terminal by the time it is read: a shell that is
    # only about to start a command takes Ctrl-C for itself.
    os.write(terminal, b"stty size; sh -c 'echo $TERM; exec sleep 600'\r")
    read_until("vt100")
    os.write(terminal, b"\x03")  # Ends the sleep, not the shell.
    os.write(terminal, b"echo stil''l\r")
    read_until("still")
    os.write(terminal, b"exit 4\r")
    _, state = os.waitpid(pid, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(state) == 4
    wait_until(lambda: "typed: echo stil''l" in service.log_of(sleeping))


def test_the_audit_log_says_who_changed_what(service, warden, sleeping):
    warden("exec", sleeping, "--", "true")
    lines = [json.loads(line) for line in (service.data / "audit.log").read_text().splitlines()]
    created = [line for line in lines if line["action"] == "sagemaker:CreateTrainingJob"]
    assert any(line["resource"].endswith(f"training-job/{sleeping}") for line in created)
    assert {line["outcome"] for line in created} <= {"ok", "ValidationException", "ResourceInUse"}
    assert any(line["action"] == "exec" and line["resource"] == sleeping for line in lines)
    assert all(line["key"] for line in lines)
    assert stat.S_IMODE((service.data / "audit.log").stat().st_mode) == 0o600


def test_exec_ends_when_it_is_switched_off(service, warden, sleeping):
    environment = {**os.environ, "HOME": str(service.folder / "home")}
    environment.pop("XDG_CONFIG_HOME", None)
    command = [str(WARDEN), "exec", sleeping, "--", "sh", "-c", "echo on; sleep 600"]
    shell = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert shell.stdout.readline().strip() == "on"
    warden("jobs", "update", sleeping, "--remote-debug", "off")
    _, errors = shell.communicate(timeout=PATIENCE)
    assert shell.returncode == FAILED
    assert f"session closed: remote debugging of {sleeping} is off" in errors
    refused = warden("exec", sleeping, "--", "id", code=MISUSED)
    assert "--remote-debug on" in refused
    warden("jobs", "update", sleeping, "--remote-debug", "on")
    assert "uid=" in warden("exec", sleeping, "--", "id")


def test_a_job_is_stopped_children_and_all(warden, sleeping):
    assert processes_with(f"TRAINING_JOB_NAME={sleeping}")
    assert warden("jobs", "stop", sleeping, "--wait").strip() == "Stopped"
    wait_until_gone(f"TRAINING_JOB_NAME={sleeping}")
    assert "is not training; its status is" in warden("exec", sleeping, code=MISUSED)


def test_the_service_leaves_in_good_order(tmp_path):
    name = f"waiting-{os.getpid()}"
    service = Service(tmp_path).start()
    source = tmp_path / "source"
    source.mkdir()
    (source / "wait.py").write_text("import time; time.sleep(600)")
    job = script_job(name, "wait.py")
    job["HyperParameters"]["sagemaker_submit_directory"] = f"file://{source}"
    service.call("CreateTrainingJob", **job)
    service.wait_for(name, lambda job: job["SecondaryStatus"] == "Training")
    # Its agent trains; the script may not have begun.
    service.wait_for(name, lambda job: processes_with(f"TRAINING_JOB_NAME={name}"))
    notice = tmp_path / "home/.config/tensorwarden/service.json"
    assert json.loads(notice.read_text())["endpoint"] == service.endpoint
    assert service.stop() == 0
    assert not notice.exists()
    assert "1 job still running" in service.log.read_text()
    assert processes_with(f"TRAINING_JOB_NAME={name}")
    service.start()
    service.call("StopTrainingJob", TrainingJobName=name)
    job = service.wait_for(name, lambda job: job["TrainingJobStatus"] == "Stopped")
    service.stop()
    wait_until_gone(f"TRAINING_JOB_NAME={name}")


def test_a_deaf_job_is_killed_after_the_grace(tmp_path):
    service = Service(tmp_path, "--stop-grace", "1").start()
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf', flush=True)\n"
    source = tmp_path / "source"
    source.mkdir()
    (source / "deaf.py").write_text(deaf + "while True: time.sleep(1)\n")
    for limit in (1, 5, 25, 125):
        name = f"deaf-{limit}-{os.getpid()}"
        job = script_job(name, "deaf.py", StoppingCondition={"MaxRuntimeInSeconds": limit})
        job["HyperParameters"]["sagemaker_submit_directory"] = f"file://{source}"
        service.call("CreateTrainingJob", **job)
        job = service.wait_until_over(name)
        assert job["SecondaryStatus"] == "MaxRuntimeExceeded"
        wait_until_gone(f"TRAINING_JOB_NAME={name}")
        if "deaf" in service.log_of(name):
            break  # On a busy machine a job may be over before it is deaf.
    assert "deaf" in service.log_of(name)
    service.stop()


def test_ctrl_c_ends_the_service(tmp_path):
    service = Service(tmp_path).start()
    os.kill(service.process.pid, signal.SIGINT)
    assert service.process.wait(timeout=PATIENCE) == 0
    service.process.stdout.close()


def test_back_up_a_running_service(service, warden, sleeping, tmp_path):
    target = tmp_path / "backup"
    data = str(service.data)
    told = json.loads(warden("backup", "--data", data, str(target), "--json"))
    assert told["files"][0] == "warden.db"
    assert {"credentials", "token"} <= set(told["files"])
    assert stat.S_IMODE(target.stat().st_mode) == 0o700
    with contextlib.closing(sqlite3.connect(target / "warden.db")) as copy:
        assert (sleeping,) in copy.execute("SELECT name FROM jobs").fetchall()
    assert "exists; expected the name of a new folder" in warden(
        "backup", "--data", data, str(target), code=FAILED
    )
    nothing = str(tmp_path / "nothing")
    assert "no such file" in warden("backup", "--data", nothing, str(tmp_path / "b"), code=FAILED)
    assert not (tmp_path / "b").exists()


def test_a_backup_is_served_elsewhere(tmp_path):
    service = Service(tmp_path / "first").start()
    source = tmp_path / "source"
    source.mkdir()
    (source / "short.py").write_text("raise SystemExit('enough')")
    job = script_job("kept", "short.py")
    job["HyperParameters"]["sagemaker_submit_directory"] = f"file://{source}"
    service.call("CreateTrainingJob", **job)
    described = service.wait_until_over("kept")
    restored = Service(tmp_path / "second")
    restored.folder.mkdir()
    command = [WARDEN, "backup", "--data", service.data, restored.data]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    assert service.stop() == 0
    restored.start()
    assert restored.describe("kept") == described
    assert restored.token() == service.token()
    assert restored.stop() == 0


def test_a_locked_database_is_busy(service, warden, sleeping):
    with contextlib.closing(sqlite3.connect(service.data / "warden.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "busy; try again" in warden(
            "jobs", "update", sleeping, "--remote-debug", "off", code=FAILED
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            service.call(
                "UpdateTrainingJob",
                TrainingJobName=sleeping,
                RemoteDebugConfig={"EnableRemoteDebug": False},
            )
        assert refused.value.code == 503
        assert sleeping in warden("jobs", "ls")
