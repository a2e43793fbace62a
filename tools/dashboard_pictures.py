#!/usr/bin/env python3
"""Takes the pictures of the dashboard in the docs, of trainings that it runs for them.

build/venv/bin/python tools/dashboard_pictures.py docs/images
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
WARDEN = ROOT / "build/bin/warden"
PYTHON = ROOT / "build/venv/bin/python"
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
DESK = {"width": 1280, "height": 800}
TALL = {"width": 1280, "height": 1000}
# Until everything that moves has come to rest.
SETTLE_MS = 3500


def train(runs: Path) -> None:
    """A healthy run, a broken one, one that a rule stops, one of four ranks, one with a long
    timeline."""
    # Pictures show the command: without the place of this checkout.
    images = "examples/images/train.py"
    vanishing = "examples/vanishing/train.py"
    for name, words in {
        "images": [images, "--out", runs / "images"],
        "images-broken": [images, "--broken", "--epochs", "4", "--out", runs / "images-broken"],
        "vanishing": [vanishing],
        "ranks": ["tests/support/rank_training.py", "4", "2:slow"],
    }.items():
        command = [WARDEN, "run", "--out", runs / name]
        command += ["--stop-on", "any"] if name == "vanishing" else []
        command += ["--workers", "all"] if name == "ranks" else []
        command += ["--", PYTHON.relative_to(ROOT), *words]
        words = [str(word) for word in command]
        subprocess.run(words, stdout=subprocess.DEVNULL, cwd=ROOT, check=False)
    profile = runs / "two-gpus/profiler-output"
    command = [PYTHON, ROOT / "bench/make_long_timeline.py", profile, "--events", "60000"]
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=True)


class Service:
    def __init__(self, folder: Path, runs: Path):
        self.data = folder / "data"
        command = [WARDEN, "serve", "--data", self.data, "--runs", runs]
        command += ["--listen", "127.0.0.1:0", "--json"]
        environment = {**os.environ, "HOME": str(folder)}
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, env=environment
        )
        self.endpoint = json.loads(self.process.stdout.readline())["endpoint"]
        self.token = (self.data / "token").read_text().strip()

    def ask(self, path: str) -> dict:
        request = urllib.request.Request(
            f"{self.endpoint}/-/api/{path}", headers={"Authorization": f"Bearer {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def launch_after(self, run: str, time_us: int) -> int:
        """An operator that launched a kernel, as soon as the timeline has been read."""
        while not self.ask(f"runs/{run}/timeline")["state"]["done"]:
            time.sleep(0.2)
        hits = self.ask(f"runs/{run}/timeline/search?q=aten::conv2d&limit=1000")["hits"]
        return next(hit["id"] for hit in hits if hit["start"] > time_us)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    out = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        runs = Path(folder) / "runs"
        train(runs)
        service = Service(Path(folder), runs)
        ids = {run["name"]: run["id"] for run in service.ask("runs")["runs"]}
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)

        def take(name: str, address: str, **context) -> None:
            page = browser.new_context(**{"viewport": DESK, **context}).new_page()
            page.goto(f"{service.endpoint}/-/#/login?token={service.token}")
            page.wait_for_function("!location.hash.includes('token')")
            page.evaluate("to => { location.hash = to }", address)
            page.wait_for_timeout(SETTLE_MS)
            page.screenshot(path=out / f"dashboard-{name}.png")

        healthy, broken = ids["images"], ids["images-broken"]
        cam = f"#/run/{healthy}/tensors?tensor=parts_output_0&tab=activation"
        answer = f"#/run/{healthy}/tensors?tensor=ShapeNet_answer.weight&tab=distribution"
        take("runs", "#/runs")
        take("overview", f"#/run/{broken}/overview")
        take("layers", f"#/run/{broken}/layers")
        take("ranks", f"#/run/{ids['ranks']}/ranks?of=own_seconds")
        take("activation", cam)
        take("distribution", answer, color_scheme="dark")
        take("system", f"#/run/{healthy}/system")
        take("profiler", f"#/run/{healthy}/profiler")
        take("compare", f"#/compare?a={healthy}&b={broken}")
        traced = ids["two-gpus"]
        event = service.launch_after(traced, 9_700)
        look = f"from=9600&to=10600&event={event}&tab=connections"
        take("timeline", f"#/run/{traced}/timeline?{look}", viewport=TALL)
        take("flame", f"#/run/{traced}/timeline?tab=flame", viewport=TALL)
        take("path", f"#/run/{traced}/timeline?tab=path", viewport=TALL)
        phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
        take("phone", f"#/run/{broken}/overview", **phone)
        browser.close()
        service.process.terminate()
        service.process.wait()
    return 0


if __name__ == "__main__":
    began = time.monotonic()
    code = main()
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(code)
