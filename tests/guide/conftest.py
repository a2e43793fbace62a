"""A service, and the notebooks run against it, two at a time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "service"))

from manifest import EXAMPLES, FOLDER, code
from notebooks import ANALYSIS, DEBUGGING, PROFILING, files
from serving import PYTHON, SDK_PYTHON, Service

PACKAGES = PYTHON.parent.parent / "lib/python3.11/site-packages"
AWS = """#!/bin/sh
exec /usr/bin/aws --endpoint-url "$AWS_ENDPOINT_URL" "$@"
"""


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("guide")).start()
    yield started
    started.stop()


@pytest.fixture(scope="session")
def reader(service):
    """The folder and the environment of somebody who follows the guide: the library is installed
    next to the SDK, `aws` finds the service, and the scripts that the pages name are there."""
    folder = service.folder / "reader"
    for path, text in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "bin").mkdir()
    (folder / "bin/aws").write_text(AWS)
    (folder / "bin/aws").chmod(0o755)
    (folder / "packages").mkdir()
    for name in ("tensorwarden", "smdebug", "smprof", "smppy"):
        (folder / "packages" / name).symlink_to(PACKAGES / name)
    environment = service.shell()
    environment["PATH"] = f"{folder / 'bin'}:{environment['PATH']}"
    environment["PYTHONPATH"] = f"{environment['PYTHONPATH']}:{folder / 'packages'}"
    return folder, environment


class Notebook:
    """Cells that run in the background."""

    def __init__(self, name, python, cells, reader, values):
        folder, environment = reader
        self.results = folder / f"{name}-results.json"
        self.log = folder / f"{name}.log"
        plan = folder / f"{name}-cells.json"
        plan.write_text(json.dumps([self.filled(cell, values) for cell in cells]))
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [python, FOLDER / "notebook.py", plan, self.results],
                cwd=folder,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @staticmethod
    def filled(cell, values):
        if not isinstance(cell, str):
            return cell
        text = code(cell, **values)
        if EXAMPLES[cell]["file"].endswith(".sh"):
            text = "!" + text.replace("\\\n", " ")
        return [cell, text]

    def wait(self) -> dict:
        assert self.process.wait(timeout=900) == 0, self.log.read_text()[-6000:]
        return json.loads(self.results.read_text())


@pytest.fixture(scope="session")
def results(service, reader):
    """What each cell gave, by its name."""
    folder, _ = reader
    bucket = "sagemaker-us-east-1-000000000000"
    values = {"@BUCKET@": bucket}
    for name, file in (
        ("p830-2", "train-with-remote-debug.json"),
        ("p831-2", "update-training-job-with-remote-debug-config.json"),
    ):
        request = json.loads(code(name, **values))
        if "RoleArn" in request:
            script = str(folder / "directory/to/long_training_script.py")
            request["HyperParameters"] = {"sagemaker_program": script}
        (folder / file).write_text(json.dumps(request))
    profiling = Notebook("profiling", SDK_PYTHON, PROFILING, reader, values)
    debugging = Notebook("debugging", SDK_PYTHON, DEBUGGING, reader, values)
    found = profiling.wait()
    values = {
        "@JOB@": found["profiled job"]["jobs"][0],
        "@FOLDER@": str(folder / "local-output"),
    }
    analysis = Notebook("analysis", PYTHON, ANALYSIS, reader, values)
    found |= debugging.wait()
    found |= analysis.wait()
    return found
