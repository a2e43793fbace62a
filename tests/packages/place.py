"""A place where the program is installed, and what it must be able to do there."""

import json
import os
import subprocess
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
XGBOOST = "xgboost-cpu==3.2.0"


class Place:
    """A folder away from our sources, with the program and the Python that belong together."""

    def __init__(self, folder: Path, warden, python):
        self.folder = folder
        self.warden = warden
        self.python = python

    def environment(self) -> dict:
        # Neither pages nor packages can come from what developers have on this machine. The
        # compiler cache tells languages apart.
        kept = {
            name: os.environ[name]
            for name in os.environ
            if name.startswith(("PIP_", "CCACHE_", "CMAKE_", "LANG", "LC_"))
        }
        path = f"{Path(self.python).parent}:/usr/bin:/bin"
        return {**kept, "PATH": path, "HOME": str(self.folder), "XGB_NTHREAD": "1"}

    def command(self, *words) -> list:
        return [str(word) for word in words]

    def run(self, *words, timeout: float = 300) -> str:
        """What a command prints; it must succeed."""
        done = subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert done.returncode == 0, f"{words}\n{done.stdout[-5000:]}{done.stderr[-5000:]}"
        return done.stdout

    def pip_install(self, *words) -> None:
        self.run(self.python, "-m", "pip", "install", "-q", *words, timeout=900)

    def tensors(self, run: str) -> dict:
        listed = json.loads(self.run(self.warden, "trial", "tensors", run, "--json"))
        return {tensor["name"]: tensor["steps"] for tensor in listed}

    def check_program(self) -> None:
        """`warden doctor` finds nothing broken, `warden serve` answers, with pages."""
        checks = json.loads(self.run(self.warden, "doctor", "--json"))
        assert checks["version"] == version()
        assert not [check for check in checks["checks"] if check["state"] == "broken"], checks
        page, script, warnings = self.serve()
        assert "app.js" in page
        assert len(script) > 100_000, "the dashboard's script"
        assert not [text for text in warnings if "pages" in text]

    def serve(self) -> tuple:
        """What the dashboard's page and script are, and what the service warns of."""
        command = [self.warden, "serve", "--listen", "127.0.0.1:0", "--data", "data", "--json"]
        service = subprocess.Popen(
            self.command(*command),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            started = json.loads(_until_json_ends(service.stdout))
            page = _get(started["dashboard"])
            script = _get(started["dashboard"] + "app.js")
        finally:
            service.kill()
            service.wait(timeout=30)
        return page, script, started["warnings"]

    def check_xgboost(self) -> None:
        """A training script that knows nothing of us is captured, and its report is written."""
        text = (ROOT / "examples" / "xgboost" / "train.py").read_text()
        (self.folder / "train.py").write_text(text)
        self.run(self.warden, "run", "--out", "run", "--", self.python, "train.py", "--rounds", "5")
        assert [name for name in self.tensors("run") if "auc" in name]
        report = self.folder / "run/rule-output/CreateXgboostReport/xgboost_report.html"
        assert report.stat().st_size > 50_000

    def check_pytorch(self) -> None:
        """The same for PyTorch."""
        text = (ROOT / "examples" / "vanishing" / "train.py").read_text()
        (self.folder / "train.py").write_text(text)
        self.run(self.warden, "run", "--out", "run", "--", self.python, "train.py")
        assert [name for name in self.tensors("run") if name.startswith("gradient/")]


def only(pattern: str) -> Path:
    """The one package of that name."""
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, f"expected one {pattern} in dist/, got {found}"
    return found[0]


def version() -> str:
    """What this source tree is the version of."""
    for line in (ROOT / "CMakeLists.txt").read_text().splitlines():
        if line.startswith("project(tensorwarden VERSION "):
            return line.split()[2]
    raise AssertionError("CMakeLists.txt names no version")


def _until_json_ends(stream) -> str:
    """The lines up to the one that closes the first object."""
    text = ""
    for line in stream:
        text += line
        try:
            json.loads(text)
        except json.JSONDecodeError:
            continue
        return text
    raise AssertionError(f"the service printed no JSON: {text}")


def _get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as response:
        return response.read().decode()
