"""A run as one file: opened without a server or a network, with what the dashboard has."""

import html
import json
import re
import subprocess

import pytest
from browsing import COLOURS, SOON, panel_of, run_named
from playwright.sync_api import expect
from recorded import HOSTILE_RUN, MARKUP
from serving import PATIENCE, WARDEN


def export(run, out, *options) -> dict:
    command = [WARDEN, "export", run, "--out", out, "--json", *options]
    done = subprocess.run(
        [str(w) for w in command], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Offline:
    """A page of a file in a browser without a network."""

    def __init__(self, browser, url: str):
        self.context = browser.new_context(offline=True, viewport={"width": 1360, "height": 900})
        self.page = self.context.new_page()
        self.page.set_default_timeout(SOON)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("console", self._console)
        self.page.on("request", self._request)
        self.page.goto(url)

    def _console(self, message) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"console: {message.text}")

    def _request(self, request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:", "about:")):
            self.wrong.append(f"asks for {request.url}")

    def open_panel(self, title: str, place=None) -> None:
        panels = (place or self.page).get_by_role("navigation", name="Panels of this run")
        panels.get_by_role("link", name=title, exact=True).click()

    def wait_until_drawn(self, canvas) -> None:
        for _ in range(SOON // 100):
            # Anew each time: pages replace canvases when new data comes.
            canvas.first.evaluate("one => one.scrollIntoView({ block: 'nearest' })")
            if canvas.first.evaluate(COLOURS) > 2:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("nothing is drawn")

    def close(self) -> list[str]:
        self.context.close()
        return self.wrong


@pytest.fixture
def offline(browser):
    opened = []

    def open_one(url: str) -> Offline:
        opened.append(Offline(browser, url))
        return opened[-1]

    yield open_one
    assert [words for one in opened for words in one.close()] == []


def test_a_file_shows_the_run_without_a_server(offline, recorded, tmp_path):
    told = export(recorded.folder / "runs/broken", tmp_path / "run.html")
    assert any("timeline" in words for words in told["left_out"])
    watched = offline((tmp_path / "run.html").as_uri())
    page = watched.page
    expect(page.get_by_role("heading", level=1)).to_have_text("broken")
    expect(page.locator("main")).to_contain_text("VanishingGradient")
    watched.wait_until_drawn(page.locator(".overview-chart canvas"))
    expect(page.get_by_role("button", name="Stop …")).to_have_count(0)
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
    page.get_by_text("Exported 20").click()
    expect(page.get_by_text("they need the dashboard")).to_be_visible()
    page.get_by_text("Exported 20").click()
    watched.open_panel("Layers")
    watched.wait_until_drawn(page.locator("main canvas"))
    expect(page).to_have_url(re.compile("/layers"))
    watched.open_panel("Tensors")
    page.get_by_role("treeitem").first.wait_for()
    watched.open_panel("Logs")
    expect(page.locator("main")).to_contain_text("epoch")
    watched.open_panel("Timeline")
    expect(page.get_by_text("It is not part of an exported page.")).to_be_visible()
    page.go_back()
    expect(page.locator("main")).to_contain_text("epoch")


def test_a_profiled_run_has_its_metrics(offline, recorded, tmp_path):
    export(recorded.folder / "runs/images", tmp_path / "run.html")
    watched = offline((tmp_path / "run.html").as_uri())
    watched.open_panel("System")
    watched.wait_until_drawn(watched.page.locator("main canvas"))
    expect(watched.page.get_by_role("group", name="Utilization of each node")).to_contain_text(
        "CPU"
    )
    watched.open_panel("Profiler")
    expect(watched.page.locator("main")).not_to_contain_text("not part of")


def test_hostile_names_stay_text(offline, recorded, tmp_path):
    export(recorded.folder / "runs" / HOSTILE_RUN, tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text()
    assert MARKUP not in text and HOSTILE_RUN not in text
    watched = offline((tmp_path / "run.html").as_uri())
    page = watched.page
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE_RUN)
    expect(page.locator("main")).to_contain_text(MARKUP)
    watched.open_panel("Tensors")
    watched.wait_until_drawn(page.locator("main canvas"))
    expect(page.get_by_role("figure").first).to_contain_text(MARKUP)
    assert page.evaluate("typeof hacked") == "undefined"


def test_the_button_of_a_run_gives_the_same_file(open_page, offline, recorded, tmp_path):
    watched = open_page(recorded, panel_of(recorded, "broken", "overview"))
    with watched.page.expect_download() as download:
        watched.page.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == f"{run_named(recorded, 'broken')}.html"
    download.value.save_as(tmp_path / "button.html")
    page = offline((tmp_path / "button.html").as_uri()).page
    expect(page.get_by_role("heading", level=1)).to_have_text("broken")


def test_a_frame_in_a_notebook_has_its_own_addresses(offline, recorded, tmp_path):
    export(recorded.folder / "runs/broken", tmp_path / "run.html")
    page = html.escape((tmp_path / "run.html").read_text())
    around = tmp_path / "notebook.html"
    frame = f'<iframe srcdoc="{page}" sandbox="allow-scripts" width="1200" height="800"></iframe>'
    around.write_text(f"<!doctype html><title>notebook</title>{frame}")
    watched = offline(around.as_uri())
    inside = watched.page.frame_locator("iframe")
    expect(inside.get_by_role("heading", level=1)).to_have_text("broken")
    inside.locator(".overview-chart").first.scroll_into_view_if_needed()
    watched.wait_until_drawn(inside.locator(".overview-chart canvas"))
    watched.open_panel("Layers", inside)
    watched.wait_until_drawn(inside.locator("main canvas"))
    assert watched.page.url == around.as_uri()
