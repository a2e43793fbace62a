"""Keeps a service busy for an hour: thousands of short jobs, live clients that come and go, pages
that are opened and closed. Prints its memory every minute. Fails if that grows by more than 20 MB
after the first sixth of the time, if a job does not complete, or if a client of the live stream
gets an event twice or not at all.

    python3 bench/soak.py [--minutes 60] [--jobs 5000] [--clients 100] [--bin build/bin]
"""

import argparse
import json
import random
import re
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from service_cases import Client, job, resident

ROOT = Path(__file__).resolve().parent.parent
GROWTH = 20e6  # Bytes.
EVENT = re.compile(rb"id: (\d+)\n")
PAGES = ("/", "/-/api/session", "/-/api/runs", "/-/api/rules")


def short_job(name):
    """The job of the other benchmark, without rules and soon over."""
    request = {**job(0), "TrainingJobName": name}
    request["AlgorithmSpecification"]["ContainerEntrypoint"] = ["echo", name]
    del request["DebugHookConfig"], request["DebugRuleConfigurations"]
    return request


class LiveClient:
    """Listens to the live stream, and continues after its last event when it was cut off."""

    def __init__(self, address, token):
        self.address = address
        self.token = token
        self.numbers = []
        self.stream = None
        self.rest = b""

    def connect(self):
        self.close()
        host, port = self.address.split(":")
        last = f"Last-Event-ID: {self.numbers[-1]}\r\n" if self.numbers else ""
        self.stream = socket.create_connection((host, int(port)))
        self.stream.sendall(
            f"GET /-/events?after=0 HTTP/1.1\r\nHost: {self.address}\r\n{last}"
            f"Authorization: Bearer {self.token}\r\n\r\n".encode()
        )

    def close(self):
        if self.stream is not None:
            self.stream.close()
        self.stream = None
        self.rest = b""

    def read(self):
        try:
            data = self.stream.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self.connect()
            return
        # An event may be cut in two.
        *whole, self.rest = (self.rest + data).split(b"\n\n")
        for event in whole:
            if found := EVENT.search(event):
                self.numbers.append(int(found[1]))


class LiveClients(threading.Thread):
    """All of them, in one thread; one after the other is cut off and connects again."""

    def __init__(self, count, address, token):
        super().__init__(daemon=True)
        self.clients = [LiveClient(address, token) for _ in range(count)]
        self.over = threading.Event()

    def run(self):
        for client in self.clients:
            client.connect()
        while not self.over.is_set():
            by_stream = {client.stream: client for client in self.clients}
            ready, _, _ = select.select(list(by_stream), [], [], 0.2)
            for stream in ready:
                by_stream[stream].read()
            if random.random() < 0.2:
                random.choice(self.clients).connect()


def open_pages(address, token, over):
    """A person who opens a page, looks, and closes it."""
    while not over.wait(0.3):
        try:
            client = Client(f"http://{address}", token)
            for path in PAGES:
                client.connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
                client.connection.getresponse().read()
            client.connection.close()
        except OSError as error:
            print(f"a page could not be opened: {error}", flush=True)


def create_jobs(options, client, process):
    """Memory by minute, the jobs spread over all of them."""
    began = time.monotonic()
    seconds = 60 * options.minutes
    memory = []
    for number in range(options.jobs):
        client.call("CreateTrainingJob", **short_job(f"soak-{number:05}"))
        elapsed = time.monotonic() - began
        while len(memory) <= elapsed // 60:
            memory.append(resident(process.pid))
            print(f"minute {len(memory) - 1}: {memory[-1] / 1e6:.1f} MB, {number} jobs", flush=True)
        time.sleep(max(0.0, seconds * (number + 1) / options.jobs - elapsed))
    return memory


def wait_for_jobs(client, count):
    """Those that did not complete."""
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        found, _ = client.call("ListTrainingJobs", StatusEquals="InProgress", MaxResults=1)
        if not found["TrainingJobSummaries"]:
            break
        time.sleep(1)
    left = []
    for number in range(count):
        described, _ = client.call("DescribeTrainingJob", TrainingJobName=f"soak-{number:05}")
        if described["TrainingJobStatus"] != "Completed":
            left.append((described["TrainingJobName"], described["TrainingJobStatus"]))
    return left


def settled(memory, minutes):
    """The memory after a sixth of the time: ten minutes of an hour."""
    return memory[min(int(minutes / 6), len(memory) - 1)]


def problems(memory, minutes, left, numbers):
    """What went wrong, as sentences; `numbers`: the events of each client."""
    after = settled(memory, minutes)
    found = []
    if memory[-1] - after > GROWTH:
        found.append(f"memory grew from {after / 1e6:.1f} to {memory[-1] / 1e6:.1f} MB")
    if left:
        found.append(f"{len(left)} jobs did not complete, such as {left[:3]}")
    twice = sum(len(seen) != len(set(seen)) for seen in numbers)
    lost = sum(seen != numbers[0] for seen in numbers)
    if twice or lost:
        found.append(f"{twice} clients got an event twice, {lost} not the same as the first client")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=5000)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/bin")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        command = [options.bin / "warden", "serve", "--data", data, "--listen", "127.0.0.1:0"]
        process = subprocess.Popen(
            [*map(str, command), "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            endpoint = json.loads(process.stdout.readline())["endpoint"]
            token = (data / "token").read_text().strip()
            client = Client(endpoint, token)
            live = LiveClients(options.clients, client.address, token)
            live.start()
            pages = threading.Thread(
                target=open_pages, args=(client.address, token, live.over), daemon=True
            )
            pages.start()
            memory = create_jobs(options, client, process)
            left = wait_for_jobs(client, options.jobs)
            time.sleep(3)  # The last events are on their way.
            memory.append(resident(process.pid))
            live.over.set()
            live.join()
            pages.join()
            numbers = [one.numbers for one in live.clients]
        finally:
            process.terminate()
            process.wait()
    found = problems(memory, options.minutes, left, numbers)
    after = settled(memory, options.minutes)
    print(
        f"{options.jobs} jobs, {options.clients} clients with {len(numbers[0])} events each; "
        f"memory {memory[0] / 1e6:.1f} MB at first, {after / 1e6:.1f} MB after "
        f"{options.minutes / 6:g} minutes, {memory[-1] / 1e6:.1f} MB at the end: "
        f"{(memory[-1] - after) / 1e6:+.1f} MB"
    )
    for problem in found:
        print(f"failed: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
