"""The dashboard in a browser: pages that remember everything that went wrong in them."""

import json
import re
import time
import urllib.request
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

from playwright.sync_api import Browser, Frame, Locator, Page, Request, expect
from serving import PATIENCE, ROOT, Service, wait_until

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
# Milliseconds until something that is under way must be on the screen, on a busy machine. Nobody
# waits that long for what works.
SOON = 120_000
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1360, "height": 900}}
PANELS = ["overview", "tensors", "layers", "compare", "system"]
PANELS += ["profiler", "timeline", "reports", "logs"]

# How many colours there are in a canvas, up to a few: one means that nothing is drawn.
COLOURS = """
(canvas) => {
  canvas.scrollIntoView({ block: 'nearest' }); // What cannot be seen is drawn later.
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  if (!copy.width || !copy.height) return 0;
  const on = copy.getContext('2d');
  on.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(on.getImageData(0, 0, copy.width, copy.height).data.buffer);
  const seen = new Set();
  for (const pixel of pixels) if (seen.add(pixel).size > 8) break;
  return seen.size;
}
"""


class Served(Protocol):
    """Where a dashboard is."""

    endpoint: str

    def token(self) -> str: ...


class Watched:
    """A page of a service, and what went wrong in it."""

    def __init__(self, browser: Browser, service: Served, **context: Any):
        self.service = service
        self.context = browser.new_context(**{**DESK, "reduced_motion": "reduce", **context})
        self.context.set_default_timeout(SOON)
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.unanswered: list[Request] = []
        # Whether requests to this address may fail: the test takes the service away, say.
        self.forgives: Callable[[str], bool] = lambda url: False
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("dialog", self._dialog)
        self.page.on("request", self._request)
        self.page.on("requestfailed", self._failed)
        self.page.on("requestfinished", self._answered)
        self.page.on("response", self._response)

    def _console(self, message) -> None:
        if message.type not in ("error", "warning"):
            return
        # Chromium's own words about a request, which the handlers below decide about.
        if "Failed to load resource" in message.text:
            return
        self.wrong.append(f"console: {message.text}")

    def _dialog(self, dialog) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request) -> None:
        self.unanswered.append(request)
        url = urlsplit(request.url)
        if url.scheme in ("data", "blob"):
            return
        if f"{url.scheme}://{url.netloc}" != self.service.endpoint:
            self.wrong.append(f"another host: {request.url}")

    def _answered(self, request) -> None:
        if request in self.unanswered:
            self.unanswered.remove(request)

    def _failed(self, request) -> None:
        self._answered(request)
        # Given up by the page itself: it is asking for something newer, or was left.
        if request.failure == "net::ERR_ABORTED" or self.forgives(request.url):
            return
        self.wrong.append(f"failed: {request.url}: {request.failure}")

    def _response(self, response) -> None:
        if response.status >= 400 and not self.forgives(response.url):
            self.wrong.append(f"{response.status}: {response.url}")

    def log_in(self, to: str = "") -> "Watched":
        """By the link that `warden serve` prints, and on to an address: '#/runs'."""
        where = f"&to={quote(to, safe='')}" if to else ""
        link = f"{self.service.endpoint}/-/#/login?token={self.service.token()}{where}"
        self.page.goto(link)
        self.page.get_by_role("button", name="Sign out").wait_for()
        return self

    def go(self, to: str) -> None:
        self.page.evaluate("to => { location.hash = to }", to)

    def address(self) -> str:
        return self.page.evaluate("location.hash")

    def wait_for_address(self, *parts: str) -> None:
        """Until all of them are in the address, or none of what begins with '!'."""
        test = "parts => parts.every((p) => p[0] === '!' ? !location.hash.includes(p.slice(1))"
        self.page.wait_for_function(f"{test} : location.hash.includes(p))", arg=list(parts))

    def open_panel(self, title: str) -> None:
        """By a click on its name."""
        panels = self.page.get_by_role("navigation", name="Panels of this run")
        panels.get_by_role("link", name=title, exact=True).click()
        self.wait_for_address(f"/{title.lower()}")

    def figure(self, title: str) -> Locator:
        """A chart by what is written above it."""
        return self.page.locator("figure").filter(has=self.page.get_by_text(title, exact=True))

    def wait_until_drawn(self, canvas: Locator) -> None:
        # Anew each time: pages replace canvases when new data comes.
        self.wait_until(lambda: canvas.first.evaluate(COLOURS) > 2)

    def wait_until_reads(self, place: Locator, value: float) -> None:
        """Until the number that is written there is this one."""
        self.wait_until(lambda: reads_as(place.inner_text(), value), place.inner_text)

    def wait_until(self, holds: Callable[[], bool], told: Callable[[], str] = str) -> None:
        deadline = time.monotonic() + SOON / 1000
        while not holds():
            assert time.monotonic() < deadline, told()
            self.page.wait_for_timeout(30)  # Lets the page's events come.

    def settled(self) -> None:
        """Nothing is being loaded any more, here or in frames, and what has come is drawn."""
        self.page.wait_for_function(
            "() => ![...document.querySelectorAll('.loading')].some((one) => one.checkVisibility())"
        )
        for frame in self.page.frames:
            frame.wait_for_url(re.compile("^http"))
            frame.wait_for_load_state()
        self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def check_accessibility(self, *rules: str) -> list[str]:
        """What axe finds wrong in the page and in its frames, by these rules or by all."""
        wrong = []
        for frame in self.page.frames:
            where = self.address() if frame == self.page.main_frame else frame.url
            wrong += violations(frame, where, *rules)
        return wrong

    def sideways(self) -> int:
        """Pixels by which the page is wider than the window, or something in a frame than that."""
        self.settled()
        wider = "document.documentElement.scrollWidth - innerWidth"
        return max(frame.evaluate(wider) for frame in self.page.frames)

    def describe(self) -> str:
        """What a person would see, and what the page waits for."""
        waits = [f"waits for {request.method} {request.url}" for request in self.unanswered]
        return "\n".join([f"at {self.address()}", *waits, self.page.inner_text("body")[:3000]])

    def close(self) -> list[str]:
        """What went wrong."""
        self.context.close()
        return self.wrong


def violations(frame: Frame, where: str, *rules: str) -> list[str]:
    """What axe finds wrong in a frame, without those in it: reports may not be spoken to from the
    page around them."""
    if not frame.evaluate("'axe' in window"):
        frame.evaluate(AXE.read_text())
    options: dict[str, Any] = {"resultTypes": ["violations"], "iframes": False}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    result = frame.evaluate("options => axe.run(document, options)", options)
    return [
        f"{where}: {one['id']}: {one['help']}: {node['html'][:200]}"
        for one in result["violations"]
        for node in one["nodes"]
    ]


def ask(service: Served, path: str) -> Any:
    """What the API says."""
    return json.loads(ask_bytes(service, path))


def ask_bytes(service: Served, path: str) -> bytes:
    request = urllib.request.Request(
        f"{service.endpoint}/-/api/{path}", headers={"Authorization": f"Bearer {service.token()}"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.read()


def until_listed(service: Service) -> Service:
    """The service, once it has read all that its list of runs says of them."""
    wait_until(lambda: not ask(service, "runs")["pending"])
    return service


def run_named(service: Service, name: str) -> str:
    """The id of the run of that name."""
    found = [run["id"] for run in ask(service, "runs")["runs"] if run["name"] == name]
    assert len(found) == 1, found
    return found[0]


def panel_of(service: Service, name: str, panel: str, **params: Any) -> str:
    """The address of a panel of the run of that name."""
    query = "&".join(f"{key}={quote(str(value), safe='')}" for key, value in params.items())
    return f"#/run/{quote(run_named(service, name), safe='')}/{panel}?{query}".rstrip("?")


def add_to_comparison(page: Page, label: str) -> None:
    """By its name, once it is offered: 'resnet (completed)'."""
    field = page.get_by_label("Add a run")
    field.fill(label)
    expect(page.locator(f'datalist option[value="{label}"]')).to_have_count(1)
    field.press("Enter")


def number_in(text: str) -> float:
    """The number that a text begins or ends with: '0.37', 'loss 1,234'."""
    numbers = re.findall(r"-?[\d,]+(?:\.\d+)?(?:e[-+]?\d+)?", text)
    return float(numbers[-1].replace(",", "")) if numbers else float("nan")


def reads_as(text: str, value: float) -> bool:
    """Whether a text that people read tells this value: figures are rounded to about three."""
    rounding = 0.06 * abs(value) if 0 < abs(value) < 0.001 else 0.0006 + 0.006 * abs(value)
    return abs(number_in(text) - value) <= rounding
