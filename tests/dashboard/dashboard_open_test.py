"""`warden run --open`: the training in a browser while it runs, by the link that is printed."""

import os
import re
import subprocess
import threading
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import ask
from dashboard_live_test import fact, number_at, wait_for_more
from live_jobs import SCRIPTS
from playwright.sync_api import expect
from serving import PATIENCE, PYTHON, WARDEN


class Viewer:
    """What `warden run --open` serves beside the training."""

    def __init__(self, link: str):
        parts = urlsplit(link)
        self.endpoint = f"{parts.scheme}://{parts.netloc}"
        self.asked = parse_qs(urlsplit(parts.fragment).query)

    def token(self) -> str:
        return self.asked["token"][0]


@pytest.fixture
def training(tmp_path):
    """A training without a terminal or a browser of its own."""
    environment = {k: v for k, v in os.environ.items() if k not in ("BROWSER", "DISPLAY")}
    command = [WARDEN, "run", "--open", "--out", tmp_path / "run", "--save-interval", "5"]
    command += ["--", PYTHON, SCRIPTS / "trains_until_stopped.py"]
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment, "HOME": str(tmp_path)},
    )
    yield process
    process.terminate()
    process.wait(timeout=PATIENCE)
    process.stderr.close()


def test_the_printed_link_shows_the_training(training, open_page):
    link = ""
    for line in training.stderr:
        if found := re.search(r"dashboard: (http://\S+)", line):
            link = found[1]
            break
    # Whatever else it says must not fill the pipe.
    threading.Thread(target=training.stderr.read, daemon=True).start()
    viewer = Viewer(link)
    watched = open_page(viewer, viewer.asked["to"][0])
    page = watched.page
    expect(page.get_by_role("heading", level=1)).to_have_text("run")
    assert viewer.token() not in page.url
    step = fact(page, "Step")
    expect(step).to_have_text(re.compile(r"^\d"))
    wait_for_more(page, step, number_at(step) + 10)
    figure = watched.figure("CrossEntropyLoss_output_0")
    watched.wait_until_drawn(figure.locator("canvas"))
    assert [run["name"] for run in ask(viewer, "runs")["runs"]] == ["run"]
    # It is stopped from there.
    page.get_by_role("button", name="Stop …").click()
    page.get_by_role("button", name="Stop the training").click()
    watched.forgives = lambda url: True
    training.wait(timeout=PATIENCE)
