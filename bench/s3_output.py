"""How long steps take that are saved to S3, compared with a local folder.

    build/venv/bin/python bench/s3_output.py [STEPS]

Each step computes for about 5 ms and saves 400 KB. In the rows with S3, a server on this machine
answers at once, answers after 500 ms, is killed and started again 20 times, or is not there.
"""

import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/service")]


def train(out_dir: str, steps: int) -> None:
    """Prints the milliseconds of each step."""
    from tensorwarden.config.collection_manager import CollectionManager
    from tensorwarden.config.save_config import SaveConfig
    from tensorwarden.hook.base import BaseHook

    hook = BaseHook(
        CollectionManager(),
        out_dir=out_dir,
        save_config=SaveConfig(save_interval=1),
        include_collections=["mine"],
    )
    work = np.random.default_rng(1).standard_normal((300, 300))
    values = np.random.default_rng(2).standard_normal(50_000)
    times = []
    for _ in range(steps):
        begun = time.perf_counter()
        hook._begin_step()
        hook.save_tensor("values", values, collections_to_write="mine")
        while time.perf_counter() - begun < 0.005:
            work @ work  # Stands for a model.
        times.append((time.perf_counter() - begun) * 1000)
    hook.close()
    print(" ".join(f"{one:.4f}" for one in times[10:]))


class Restarts(threading.Thread):
    """Kills the server and starts it again, at random, 20 times."""

    def __init__(self, server):
        super().__init__()
        self._server = server

    def run(self) -> None:
        chance = random.Random(7)
        for _ in range(20):
            time.sleep(chance.uniform(0.1, 0.4))
            self._server.kill()
            time.sleep(chance.uniform(0, 0.2))
            self._server.start()


def slow_proxy(port: int) -> str:
    """The address of a server that passes requests on, half a second late."""
    import http.client
    import http.server

    class Late(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            time.sleep(0.5)
            connection = http.client.HTTPConnection("127.0.0.1", port)
            headers = dict(self.headers.items())
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            connection.close()

        do_GET = do_PUT = do_POST = do_DELETE = _pass_on

        def log_message(self, *words: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Late)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def measure(steps: int, out_dir: str, variables: dict) -> str:
    done = subprocess.run(
        [sys.executable, __file__, "--train", out_dir, str(steps)],
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    times = np.array([float(word) for word in done.stdout.split()])
    middle, late, most = np.median(times), np.percentile(times, 99), times.max()
    return f"{middle:8.2f} {late:8.2f} {most:8.2f}"


def main() -> None:
    from support.buckets import Buckets

    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Buckets(folder / "server").start()
        server.create("runs")
        spool = folder / "spool"
        usual = server.environment(WARDEN_S3_SPOOL=str(spool), HOME=name)
        late = {**usual, "AWS_ENDPOINT_URL": slow_proxy(int(server.endpoint.rsplit(":", 1)[1]))}
        print(f"{'ms for each step':32}   median     99 %     most")
        print(f"{'local folder':32} {measure(steps, str(folder / 'local'), usual)}")
        print(f"{'S3':32} {measure(steps, 's3://runs/plain', usual)}")
        print(f"{'S3 that answers after 500 ms':32} {measure(steps, 's3://runs/late', late)}")
        restarts = Restarts(server)
        restarts.start()
        print(f"{'S3, killed and started 20 times':32} {measure(steps, 's3://runs/killed', usual)}")
        restarts.join()
        server.kill()
        print(f"{'S3 that is away':32} {measure(steps, 's3://runs/away', usual)}")
        server.start()
        begun = time.monotonic()
        while spool.exists() and any(spool.iterdir()):
            time.sleep(0.1)
        print(f"all sent {time.monotonic() - begun:.1f} s after the last training")
        server.kill()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        train(sys.argv[2], int(sys.argv[3]))
    else:
        os.chdir(ROOT)
        main()
