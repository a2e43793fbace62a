"""Watching the machine: what it costs, beside a loop over psutil that reads the same things.

Run as a program it is that loop: monitor_cases.py INTERVAL_MS PID FILE reads until it is killed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

INTERVALS_MS = (500, 100, 10, 1)
LIMITS = {100: 0.003, 1: 0.05}  # Shares of one core.
MEMORY_LIMIT = 20e6
WARM_UP_S = 1.0


# ---- For report.py.


def cpu_seconds(pid):
    """What all threads of a process have used, to the nanosecond."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def resident_bytes(pid):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"process {pid} does not tell how much memory it takes")


def cost(command, seconds):
    """Of a running program: what it takes of a core once it has started, and its memory."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([str(part) for part in command], **quiet)
    try:
        time.sleep(WARM_UP_S)
        begin, used = time.monotonic(), cpu_seconds(process.pid)
        time.sleep(seconds)
        share = (cpu_seconds(process.pid) - used) / (time.monotonic() - begin)
        return {"share": share, "bytes": resident_bytes(process.pid)}
    finally:
        process.terminate()
        process.wait()


def monitor(setting):
    """The rows of all intervals."""
    from cases import Row, Target
    from sampling import run_rounds

    seconds = 1 if setting.sizes.quick else 5
    folder = setting.dir / "monitor"
    folder.mkdir(parents=True, exist_ok=True)

    def ours(interval):
        command = [setting.bin / "warden", "monitor", "--out", folder / "ours"]
        return cost([*command, "--interval", interval, "--pid", os.getpid()], seconds)

    def peer(interval):
        command = [setting.python, Path(__file__), interval, os.getpid(), folder / "psutil"]
        return cost(command, seconds)

    variants = {}
    for interval in INTERVALS_MS:
        variants[f"ours_{interval}"] = lambda interval=interval: ours(interval)
        variants[f"psutil_{interval}"] = lambda interval=interval: peer(interval)
    samples = run_rounds("monitor", min(setting.sizes.rounds, 5), variants)

    def median(label, metric):
        return samples.median(lambda s: s[label][metric])

    below = Target("< 1", lambda ratio: ratio < 1)
    rows = []
    for interval in INTERVALS_MS:
        label, other = f"ours_{interval}", f"psutil_{interval}"
        share = f"{100 * median(label, 'share'):.3g} %"
        ratios = samples.per_round(lambda s, a=label, b=other: s[a]["share"] / s[b]["share"])
        peers = f"psutil loop {100 * median(other, 'share'):.3g} %"
        what = f"watching the machine every {interval} ms, of one core"
        rows.append(Row(what, share, peers, ratios, below))
        if interval in LIMITS:
            limit = LIMITS[interval]
            ratios = samples.per_round(lambda s, a=label, m=limit: s[a]["share"] / m)
            rows.append(Row("  the same", share, f"limit {100 * limit:g} %", ratios, below))
    memory = [f"ours_{interval}" for interval in INTERVALS_MS]
    most = samples.per_round(lambda s: max(s[label]["bytes"] for label in memory))
    rows.append(
        Row(
            "  memory, the most of all intervals",
            f"{max(most) / 1e6:.3g} MB",
            f"limit {MEMORY_LIMIT / 1e6:g} MB",
            [number / MEMORY_LIMIT for number in most],
            below,
        )
    )
    return rows, samples


MONITOR_CASES = {"monitor": monitor}


# ---- The loop.


class PsutilLoop:
    """Reads with psutil what the monitor reads, and writes the same lines."""

    def __init__(self, pid, file):
        import psutil

        self.psutil = psutil
        self.training = psutil.Process(pid)
        self.file = file
        self.last = None

    def counters(self):
        psutil = self.psutil
        disks, nets = psutil.disk_io_counters(perdisk=True), psutil.net_io_counters(pernic=True)
        processes = [self.training, *self.training.children(recursive=True)]
        counts = {"time": time.monotonic(), "processes": len(processes)}
        counts["training"] = counts["threads"] = counts["resident"] = counts["read"] = 0
        for process in processes:
            try:
                with process.oneshot():
                    counts["training"] += sum(process.cpu_times()[:2])
                    counts["threads"] += process.num_threads()
                    counts["resident"] += process.memory_info().rss
                    counts["read"] += process.io_counters().read_chars
            except psutil.NoSuchProcess:
                pass
        for name, disk in disks.items():
            for field in ("read_bytes", "write_bytes", "read_count", "write_count", "busy_time"):
                counts[f"disk {field} {name}"] = getattr(disk, field)
        for name, net in nets.items():
            if name != "lo":
                counts[f"net received {name}"] = net.bytes_recv
                counts[f"net sent {name}"] = net.bytes_sent
        for resource in ("cpu", "io", "memory"):
            path = Path("/proc/pressure", resource)
            if path.exists():
                for line in path.read_text().splitlines():
                    counts[f"pressure {resource} {line[:4]}"] = int(line.rsplit("=", 1)[1])
        return counts

    def sample(self):
        psutil, now = self.psutil, time.time()
        values = []
        for number, core in enumerate(psutil.cpu_times_percent(percpu=True)):
            values.append(("cpu", "CPUUtilization", f"cpu{number}", 100 - core.idle - core.iowait))
            values.append(("cpu", "I/OWaitPercentage", f"cpu{number}", core.iowait))
        values.append(("memory", "", "MemoryUsedPercent", psutil.virtual_memory().percent))
        values.append(("swap", "", "SwapUsedPercent", psutil.swap_memory().percent))
        values += [("load", "", f"Load{i}", load) for i, load in enumerate(os.getloadavg())]
        counts = self.counters()
        if self.last:
            seconds = counts["time"] - self.last["time"]
            for name, count in counts.items():
                values.append(("rate", "", name, (count - self.last.get(name, count)) / seconds))
        self.last = counts
        for kind, dimension, name, value in values:
            line = {"Type": kind, "Name": name, "Dimension": dimension, "Value": value}
            self.file.write(json.dumps({**line, "NodeId": "algo-1", "Timestamp": now}) + "\n")
        self.file.flush()


def main():
    interval, pid = float(sys.argv[1]) / 1000, int(sys.argv[2])
    with Path(sys.argv[3]).open("w") as file:
        loop = PsutilLoop(pid, file)
        due = time.monotonic()
        while True:
            loop.sample()
            due = max(due + interval, time.monotonic())
            time.sleep(max(0, due - time.monotonic()))


if __name__ == "__main__":
    main()
