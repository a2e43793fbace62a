"""Pages in Debian's headless Chromium, and what they cost: frames while real input moves them, the
main thread's time for each, memory."""

import json
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Callable, Dict, Iterator, List, Optional

from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
DESK = {"width": 1360, "height": 900}
SOON_MS = 30_000
HEAPS = ("usedSize", "embedderHeapUsedSize", "backingStorageSize")
FRAME_MS = 1000 / 60

# Every frame, and what takes long in between.
COUNT_FRAMES = """
() => {
  const frames = (window.benchFrames = []);
  let last = performance.now();
  const count = (now) => {
    frames.push(now - last);
    last = now;
    window.benchCounting = requestAnimationFrame(count);
  };
  cancelAnimationFrame(window.benchCounting ?? 0);
  window.benchCounting = requestAnimationFrame((now) => {
    last = now;
    window.benchCounting = requestAnimationFrame(count);
  });
}
"""
STOP_COUNTING = "() => { cancelAnimationFrame(window.benchCounting); return window.benchFrames; }"


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield browser
        browser.close()


class Server:
    """`warden serve` in a process of its own, which has read nothing yet."""

    def __init__(self, warden: Path, data: Path, runs: Path):
        command = [warden, "serve", "--data", data, "--runs", runs, "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(
            [*(str(word) for word in command), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout is not None
        self.endpoint = json.loads(self.process.stdout.readline())["endpoint"]
        self.token = (data / "token").read_text().strip()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()

    def session(self, browser: Browser) -> str:
        """The key of a reader who has signed in before."""
        context = browser.new_context()
        headers = {"Content-Type": "application/json"}
        answer = context.request.post(
            f"{self.endpoint}/-/api/session",
            data=json.dumps({"token": self.token}),
            headers=headers,
        )
        assert answer.ok, answer.text()
        key = answer.json()["session"]
        context.close()
        return str(key)


def memory_of(pid: int, field: str = "RssAnon") -> float:
    """Bytes: RssAnon is what the process has for itself, VmHWM the most that was ever mapped."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024.0
    raise RuntimeError(f"process {pid} does not tell its {field}")


def replaced_by(path: Path) -> Callable[[Route], None]:
    return lambda route: route.fulfill(path=path)


def fresh_page(
    browser: Browser, session: str, bundle: Optional[Path]
) -> "tuple[BrowserContext, Page]":
    """With an empty cache. bundle: a folder whose script and sheet stand in for the server's."""
    context = browser.new_context(viewport=DESK)  # type: ignore[arg-type]
    if session:
        context.add_init_script(f"localStorage.setItem('warden-session', {json.dumps(session)})")
        context.set_extra_http_headers({"X-Warden-Session": session})
    page = context.new_page()
    page.set_default_timeout(SOON_MS)
    if bundle:
        for name in ("app.js", "app.css"):
            page.route(f"**/-/{name}", replaced_by(bundle / name))
    return context, page


def spent(cdp: "object") -> Dict[str, float]:
    """The main thread's processor time since the page began, in seconds, and its heap."""
    metrics = cdp.send("Performance.getMetrics")["metrics"]  # type: ignore[attr-defined]
    return {one["name"]: one["value"] for one in metrics}


def used_heap(page: Page) -> float:
    """Bytes, with the arrays and elements that scripts hold and what waits to be collected."""
    cdp = page.context.new_cdp_session(page)
    found = cdp.send("Runtime.getHeapUsage")
    cdp.detach()
    return float(sum(found.get(name, 0) for name in HEAPS))


class Mover:
    """Moves a page as a hand does, event by event at the rate of the screen."""

    def __init__(self, page: Page):
        self.page = page
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

    def mouse(self, kind: str, x: float, y: float, **more: object) -> None:
        self.cdp.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def paced(self, seconds: float, act: Callable[[int], None]) -> None:
        begun = time.perf_counter()
        i = 0
        while (now := time.perf_counter()) < begun + seconds:
            due = begun + i * FRAME_MS / 1000
            if due > now:
                time.sleep(due - now)
            act(i)
            i += 1

    def drag(self, x: float, y: float, width: float, seconds: float, modifiers: int = 8) -> None:
        """To and fro with Shift (8): the window moves with the hand."""
        left = {"button": "left", "buttons": 1, "modifiers": modifiers}
        self.mouse("mousePressed", x, y, clickCount=1, **left)
        reach = width * 0.35

        def act(i: int) -> None:
            part = (i % 120) / 60
            self.mouse("mouseMoved", x + reach * (part if part < 1 else 2 - part), y, **left)

        self.paced(seconds, act)
        self.mouse("mouseReleased", x, y, clickCount=1, **left)

    def wheel(self, x: float, y: float, seconds: float, strength: float = 12) -> None:
        """In and out with Ctrl (2)."""
        self.paced(
            seconds,
            lambda i: self.mouse(
                "mouseWheel",
                x,
                y,
                deltaX=0,
                deltaY=-strength if i % 120 < 60 else strength,
                modifiers=2,
            ),
        )

    def measured(self, act: Callable[[], None]) -> Dict[str, float]:
        """What the frames were like meanwhile."""
        self.page.evaluate(COUNT_FRAMES)
        before = spent(self.cdp)
        act()
        after = spent(self.cdp)
        frames = self.page.evaluate(STOP_COUNTING)
        return summary(frames, before, after)


def summary(frames: List[float], before: Dict, after: Dict) -> Dict[str, float]:
    ordered = sorted(frames)
    count = max(1, len(ordered))

    def each(name: str) -> float:
        return (after[name] - before[name]) * 1000 / count

    return {
        "frames": count,
        "per_second": 1000 * count / max(1.0, sum(frames)),
        "p50": median(ordered) if ordered else 0.0,
        "p95": ordered[int(0.95 * (count - 1))] if ordered else 0.0,
        "worst": ordered[-1] if ordered else 0.0,
        "below_20": sum(frame <= 20 for frame in frames) / count,
        "main": each("TaskDuration"),
        "script": each("ScriptDuration"),
        "layout": each("LayoutDuration"),
        "style": each("RecalcStyleDuration"),
        "heap": after["JSHeapUsedSize"],
    }
