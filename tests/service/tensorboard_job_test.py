"""`warden tensorboard JOB`: what it shows of jobs of the service."""

import os
import subprocess

import pytest
from serving import PATIENCE, WARDEN, Service, script_job

# A job that writes TensorBoard files, one that only saves a scalar, and one that saves nothing.
SCRIPT = """
import os
from tensorwarden.adapters.pytorch import Hook

hook = Hook.create_from_json_file()
for i in range(3):
    hook.save_scalar("quality", i)
hook.close()
"""
TENSORS = {"S3OutputPath": "s3://demo-bucket/debug"}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("boards")
    source = folder / "source"
    source.mkdir()
    (source / "saves.py").write_text(SCRIPT)
    (source / "idles.py").write_text("print('nothing to save')\n")
    started = Service(folder).start()
    jobs = {
        "exports": ("saves.py", {"TensorBoardOutputConfig": {"S3OutputPath": "s3://boards/x/"}}),
        "saves": ("saves.py", {}),
        "idles": ("idles.py", {}),
    }
    for name, (script, more) in jobs.items():
        job = script_job(name, script, DebugHookConfig=TENSORS, **more)
        job["HyperParameters"]["sagemaker_submit_directory"] = f"file://{source}"
        if name == "idles":
            del job["DebugHookConfig"]
        started.call("CreateTrainingJob", **job)
    for name in jobs:
        job = started.wait_until_over(name)
        assert job["TrainingJobStatus"] == "Completed", started.log_of(name)
    yield started
    started.stop()


def show(service, *jobs):
    """What a `tensorboard` is given that lists its folder once the scalars are there."""
    programs = service.folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "tensorboard"
    program.write_text(
        '#!/bin/sh\nfor i in $(seq 600); do find -L "$2" -name "*tfevents*" | grep -q saves/ '
        '&& break; sleep 0.1; done\ncd "$2" && find -L . -name "*tfevents*" | sort\n'
    )
    program.chmod(0o755)
    environment = {
        **os.environ,
        "HOME": str(service.folder / "home"),
        "PATH": f"{programs}:/usr/bin:/bin",
    }
    for name in ("XDG_CONFIG_HOME", "WARDEN_ENDPOINT", "WARDEN_TOKEN_FILE"):
        environment.pop(name, None)
    words = [str(WARDEN), "tensorboard", *jobs]
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=PATIENCE)


def test_shows_the_files_of_a_job_or_its_scalars(service):
    done = show(service, "exports", "saves")
    assert done.returncode == 0, done.stderr
    files = done.stdout.splitlines()
    exported = [file for file in files if file.startswith("./exports/")]
    assert len(exported) == 1
    assert exported[0].endswith(".tfevents")
    assert [file for file in files if file.startswith("./saves/")] == [
        "./saves/GLOBAL/events.out.tfevents.0.warden"
    ]
    assert f"exports: {service.data}/s3/boards/x/exports/tensorboard-output" in done.stderr


def test_says_why_a_job_cannot_be_shown(service):
    done = show(service, "idles")
    assert done.returncode == 1
    assert "job idles has no TensorBoard files and saves no tensors" in done.stderr
    done = show(service, "unknown")
    assert done.returncode == 1
    assert "no such job: unknown" in done.stderr
