"""requirements.txt in a job's source folder: installed for the job, kept, or said not to be."""

import base64
import hashlib
import http.server
import threading
import zipfile

import pytest
from isolated import skip_without_isolation
from serving import Service, script_job

SCRIPT = "import tiny; print('tiny', tiny.VALUE, tiny.__file__)"


@pytest.fixture
def service(tmp_path):
    started = Service(tmp_path / "service").start()
    yield started
    assert started.stop() == 0


def wheel(folder):
    """A package of one line."""
    files = {
        "tiny.py": "VALUE = 42\n",
        "tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        "tiny-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
    }
    record = "".join(f"{name},sha256={digest(text)},{len(text)}\n" for name, text in files.items())
    files["tiny-1.0.dist-info/RECORD"] = record + "tiny-1.0.dist-info/RECORD,,\n"
    path = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def digest(text):
    raw = hashlib.sha256(text.encode()).digest()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@pytest.fixture
def index(tmp_path):
    """A package index, as pip asks for it; counts what it was asked for."""
    root = tmp_path / "index"
    (root / "simple/tiny").mkdir(parents=True)
    name = wheel(root / "simple/tiny").name
    (root / "simple/tiny/index.html").write_text(f'<a href="{name}">{name}</a>')
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(root))

        def log_message(self, *_):
            asked.append(self.path)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        server.address = f"http://127.0.0.1:{server.server_address[1]}/simple"
        server.asked = asked
        yield server
        server.shutdown()


def run(service, tmp_path, name, requirements, **environment):
    source = tmp_path / f"source-{name}"
    source.mkdir()
    (source / "train.py").write_text(SCRIPT)
    (source / "requirements.txt").write_text(requirements)
    job = script_job(name, "train.py", Environment=environment)
    job["HyperParameters"]["sagemaker_submit_directory"] = f"file://{source}"
    service.call("CreateTrainingJob", **job)
    return service.wait_until_over(name)


def test_packages_are_installed_once(service, tmp_path, index):
    settings = {"PIP_INDEX_URL": index.address, "PIP_TRUSTED_HOST": "127.0.0.1"}
    job = run(service, tmp_path, "first", "tiny==1.0\n", **settings)
    log = service.log_of("first")
    assert job["TrainingJobStatus"] == "Completed", log
    assert "Installing requirements.txt" in log
    assert "tiny 42" in log
    # Kept for other jobs only where jobs are isolated.
    skip_without_isolation(service, "first")
    asked = len(index.asked)
    assert run(service, tmp_path, "second", "tiny==1.0\n", **settings)["TrainingJobStatus"] == (
        "Completed"
    )
    assert "Installing" not in service.log_of("second")
    assert "tiny 42" in service.log_of("second")
    assert len(index.asked) == asked


def test_what_cannot_be_installed_is_said(service, tmp_path):
    job = run(
        service,
        tmp_path,
        "offline",
        "tiny==1.0\n",
        PIP_INDEX_URL="http://127.0.0.1:9/simple",
        PIP_RETRIES="0",
    )
    log = service.log_of("offline")
    assert job["TrainingJobStatus"] == "Failed"
    assert "Tensorwarden: requirements.txt was not installed" in log
    assert "No module named 'tiny'" in job["FailureReason"]
