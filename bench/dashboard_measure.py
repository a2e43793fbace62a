"""Measures the dashboard and TensorBoard in the same Chromium, on the same curves. Prints one line
of JSON; bench/dashboard_cases.py makes the data and a table of it.

  dashboard_measure.py --warden PROGRAM --data FOLDER [--bundle FOLDER] [--rounds N] [--seconds S]
                       [PART...]

FOLDER has series/, metrics/, timeline/ and tensorboard/. PART: paint, tensors, layers, system,
timeline; all if left out.
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from io import BytesIO
from pathlib import Path
from typing import Callable, Dict, List, Tuple
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Error, Page, Request

from dashboard_page import Mover, Server, chromium, fresh_page, memory_of, used_heap

CORES = ",".join(f"cpu{i}" for i in range(16))
GPUS = ",".join(f"gpu{i}" for i in range(8))
Moved = Dict[str, Dict[str, float]]

# Looks at the pixels of the first plot before every frame. Curves are blue, all else is grey.
WATCH_CURVE = """
() => {
  const look = () => {
    const canvas = document.querySelector('.plot-box canvas');
    const on = canvas?.getContext('2d');
    const data = on?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let blue = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 200 && data[i + 2] - data[i] > 60) ++blue;
    }
    if (blue > 200) window.benchPainted = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


def has_curve(page: Page, selector: str) -> bool:
    """In a picture of the element, as a person sees it."""
    place = page.locator(selector).first.bounding_box()
    if place is None:
        return False
    picture = Image.open(BytesIO(page.screenshot(clip=place))).convert("RGB")
    pixels = np.asarray(picture).astype(int)
    return int((pixels[..., 2] - pixels[..., 0] > 25).sum()) > 200


def seen_after(page: Page, selector: str, begun: float, button: str = "") -> float:
    """Seconds until the element shows a curve. button: pressed every second until there is one."""
    pressed = begun
    while (now := time.perf_counter()) - begun < 120:
        if page.locator(selector).count() and has_curve(page, selector):
            return time.perf_counter() - begun
        if button and now - pressed > 1 and page.locator(button).count():
            page.locator(button).first.click()
            pressed = now
        time.sleep(0.01)
    raise RuntimeError(f"{page.url} has drawn nothing")


class Measure:
    def __init__(self, options: argparse.Namespace, browser: Browser):
        self.options = options
        self.browser = browser
        self.state = options.data / "served"

    def server(self, run: str) -> Server:
        return Server(self.options.warden, self.state, self.options.data / run)

    def page(self, server: Server) -> Page:
        session = server.session(self.browser)
        return fresh_page(self.browser, session, self.options.bundle)[1]

    def address(self, server: Server, page: Page, panel: str) -> Tuple[str, str]:
        """Of the run that the server has, and of its API."""
        runs = page.context.request.get(f"{server.endpoint}/-/api/runs").json()["runs"]
        run = quote(runs[0]["id"])
        return f"{server.endpoint}/-/#/run/{run}/{panel}", f"{server.endpoint}/-/api/runs/{run}"

    def wait_until_read(self, page: Page, address: str, member: str) -> Dict:
        while True:
            answer = page.context.request.get(address).json()
            if answer[member]["done"]:
                return answer
            time.sleep(0.1)

    # ---- Parts.

    def paint(self) -> Dict:
        rounds = [self.paint_once() for _ in range(self.options.rounds)]
        return {name: [one[name] for one in rounds] for name in rounds[0]}

    def paint_once(self) -> Dict[str, float]:
        return {**self.paint_ours(), **self.paint_tensorboard()}

    def paint_ours(self) -> Dict[str, float]:
        with self.server("series") as server:
            page = self.page(server)
            address, api = self.address(server, page, "tensors")
            page.add_init_script(f"({WATCH_CURVE})()")
            begun = time.perf_counter()
            page.goto(address, wait_until="commit")
            seen = seen_after(page, ".plot-box", begun)
            painted = page.evaluate("window.benchPainted") / 1000
            self.wait_until_read(page, f"{api}/tensors", "ingested")
            read = time.perf_counter() - begun
            memory = memory_of(server.process.pid, "VmHWM")
            page.context.close()
        return {"painted": painted, "seen": seen, "read": read, "server": memory}

    def paint_tensorboard(self) -> Dict[str, float]:
        command = [Path(sys.executable).with_name("tensorboard"), "--logdir"]
        command += [self.options.data / "tensorboard", "--host", "127.0.0.1", "--port", "6123"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([str(word) for word in command], **quiet)  # type: ignore[call-overload]
        try:
            wait_for("http://127.0.0.1:6123/")
            _, page = fresh_page(self.browser, "", None)
            begun = time.perf_counter()
            page.goto("http://127.0.0.1:6123/#timeseries", wait_until="commit")
            # A page that came before the first data shows none until it is told to ask again.
            seen = seen_after(page, "line-chart", begun, "app-header-reload button")
            read = begun_reading_ends(page, begun, self.options.steps)
            memory = sum(memory_of(pid, "VmHWM") for pid in family(process.pid))
            page.context.close()
        finally:
            process.terminate()
            process.wait()
        return {"tb_seen": seen, "tb_read": read, "tb_server": memory}

    def tensors(self) -> Dict:
        with self.server("series") as server:
            page = self.page(server)
            address, api = self.address(server, page, "tensors")
            self.wait_until_read(page, f"{api}/tensors", "ingested")
            sent = sent_points(page)
            first = "gradient/layer{}_weight_l2"
            chosen = "&".join(f"tensor={quote(first.format(i), safe='')}" for i in range(8))
            page.goto(f"{address}?{chosen}")
            moved = self.move(page, ".plot-box .u-over")
            heap = used_heap(page)
            page.close()
            return {"moved": moved, "heap": heap, "points_per_pixel": max(sent)}

    def layers(self) -> Dict:
        with self.server("series") as server:
            page = self.page(server)
            address, api = self.address(server, page, "layers")
            self.wait_until_read(page, f"{api}/tensors", "ingested")
            page.goto(address)
            moved = self.move(page, ".heat-area")
            memory = memory_of(server.process.pid, "VmHWM")
            return {"moved": moved, "heap": used_heap(page), "server": memory}

    def system(self) -> Dict:
        with self.server("metrics") as server:
            page = self.page(server)
            address, api = self.address(server, page, "system")
            begun = time.perf_counter()
            self.wait_until_read(page, f"{api}/metrics", "state")
            read = time.perf_counter() - begun
            page.goto(address)
            mean = self.move(page, ".plot-box .u-over")
            page.goto(f"{address}?cores={CORES}&gpus={GPUS}")
            cores = self.move(page, ".plot-box .u-over")
            memory = memory_of(server.process.pid, "VmHWM")
            heap = used_heap(page)
        return {"mean": mean, "cores": cores, "heap": heap, "server": memory, "read": read}

    def timeline(self) -> Dict:
        with self.server("timeline") as server:
            page = self.page(server)
            address, api = self.address(server, page, "timeline")
            begun = time.perf_counter()
            events = self.wait_until_read(page, f"{api}/timeline", "state")["events"]
            read = time.perf_counter() - begun
            page.goto(address)
            moved = self.move(page, ".timeline-stage", shift=0, keys=True)
            memory = memory_of(server.process.pid, "VmHWM")
            heap = used_heap(page)
        return {"moved": moved, "heap": heap, "server": memory, "read": read, "events": events}

    def list(self) -> Dict:
        """Of all runs in the folder `list`: by a server that has never seen them, by one that was
        started again, and again in that one; each with a fresh page."""
        shutil.rmtree(self.state, ignore_errors=True)
        with self.server("list") as server:
            found = {"new": self.list_once(server)}
            # It reads all runs once, and their numbers in the background.
            page = self.page(server)
            for path in ("runs", "runs-table"):
                while page.context.request.get(f"{server.endpoint}/-/api/{path}").json()["pending"]:
                    time.sleep(0.1)
            page.context.close()
        with self.server("list") as server:
            found["again"] = self.list_once(server)
            found["later"] = self.list_once(server)
            found["later"]["server"] = memory_of(server.process.pid, "VmHWM")
        return found

    def list_once(self, server: Server) -> Dict[str, float]:
        page = self.page(server)
        begun = time.perf_counter()
        page.goto(f"{server.endpoint}/-/", wait_until="commit")
        page.locator("a.runs-name").first.wait_for()
        shown = time.perf_counter() - begun
        page.get_by_text("; loading all …").wait_for(state="hidden")
        whole = time.perf_counter() - begun
        asked = time.perf_counter()
        runs = page.context.request.get(f"{server.endpoint}/-/api/runs").json()["runs"]
        answered = time.perf_counter() - asked
        page.context.close()
        return {"shown": shown, "whole": whole, "answered": answered, "runs": len(runs)}

    # ---- Moving.

    def move(self, page: Page, selector: str, shift: int = 8, keys: bool = False) -> Moved:
        page.wait_for_selector(selector)
        time.sleep(2)
        place = page.locator(selector).first
        place.evaluate("e => scrollBy(0, e.getBoundingClientRect().top - 160)")
        time.sleep(0.5)
        box = place.bounding_box()
        assert box is not None, selector
        seen = min(box["height"], 880 - box["y"])
        x, y = box["x"] + box["width"] * 0.3, box["y"] + seen / 2
        mover = Mover(page)
        mover.wheel(x, y, 0.4)
        time.sleep(1)
        seconds = self.options.seconds
        acts: Dict[str, Callable[[], None]] = {
            "drag": lambda: mover.drag(x, y, box["width"], seconds, shift),
            "wheel": lambda: mover.wheel(x, y, seconds),
        }
        if keys:
            acts["keys"] = lambda: press(page, seconds)
        found = {}
        for name, act in acts.items():
            found[name] = mover.measured(act)
            time.sleep(0.5)
        return found


def press(page: Page, seconds: float) -> None:
    """w, s, a and d, as often as a held key repeats."""
    begun = time.perf_counter()
    i = 0
    while time.perf_counter() < begun + seconds:
        page.keyboard.press("wwddssaa"[i // 4 % 8])
        time.sleep(1 / 30)
        i += 1


def sent_points(page: Page) -> List[float]:
    """Filled with the points that each answer has for each pixel of the plot that was asked for."""
    found: List[float] = [0.0]

    def seen(request: Request) -> None:
        url = request.url
        if "/series?" not in url:
            return
        try:
            body = request.response().body()
        except Error:
            return  # The page has gone on and given it up.
        header = json.loads(body[8 : 8 + int.from_bytes(body[4:8], "little")])
        most = max(c["length"] for c in header["columns"] if c["name"].startswith("x"))
        pixels = page.evaluate("document.querySelector('.plot-box .u-over').clientWidth")
        windows = 3 if "from=" in url else 1
        # A point has two values: the least and the most.
        found.append(2 * most / (pixels * windows))

    page.on("requestfinished", seen)
    return found


def wait_for(address: str) -> None:
    for _ in range(600):
        try:
            urlopen(address).close()
            return
        except URLError:
            time.sleep(0.05)
    raise RuntimeError(f"{address} does not answer")


def family(pid: int) -> List[int]:
    """A process and what it has started."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += family(int(child))
    return found


def begun_reading_ends(page: Page, begun: float, steps: int) -> float:
    """Seconds until TensorBoard knows the last step, asking as its page does."""
    form = {"requests": json.dumps([{"plugin": "scalars", "tag": "gradient/layer999_weight_l2"}])}
    while time.perf_counter() - begun < 180:
        answer = page.context.request.post(
            "http://127.0.0.1:6123/data/plugin/timeseries/timeSeries", multipart=form
        ).json()
        points = next(iter(answer[0].get("runToSeries", {}).values()), [])
        if points and points[-1]["step"] >= steps - 1:
            return time.perf_counter() - begun
        time.sleep(0.1)
    return float("nan")


def script_bytes(options: argparse.Namespace) -> int:
    """As it is sent."""
    if options.bundle:
        return len(gzip.compress((options.bundle / "app.js").read_bytes(), 9))
    with Server(options.warden, options.data / "served", options.data / "series") as server:
        asked = urllib.request.Request(f"{server.endpoint}/-/app.js")
        asked.add_header("Accept-Encoding", "gzip")
        with urlopen(asked) as answer:
            return len(answer.read())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--warden", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--bundle", type=Path)
    parser.add_argument("--steps", type=int, default=10_000, help="of the runs in the data")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    found: Dict[str, object] = {"load": os.getloadavg()[0], "script": script_bytes(options)}
    for part in options.parts or ("paint", "list", "tensors", "layers", "system", "timeline"):
        # Each with a browser of its own: none pays for the one before.
        with chromium() as browser:
            found[part] = getattr(Measure(options, browser), part)()
    found["load_after"] = os.getloadavg()[0]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
