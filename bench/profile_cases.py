"""Profiles as pandas frames: ours beside the original's, each sample in a process of its own."""

import shutil
from pathlib import Path

from cases import Row, at_least, duration
from sampling import BenchError, measure_once, run_rounds, show_progress

LINES = 1_000_000
QUICK_LINES = 20_000


def frames(setting):
    lines = QUICK_LINES if setting.sizes.quick else LINES
    run = setting.dir / "profile"
    script = Path(__file__).with_name("profile_frames.py")
    flags = ("--run", run, "--lines", lines)
    ours, original = ([python, script, *flags] for python in (setting.python, setting.peer_python))
    show_progress(f"frames: writing {lines} lines")
    measure_once(ours, "write")
    variants = {
        "system": lambda: measure_once(ours, "system"),
        "original system": lambda: measure_once(original, "system"),
        "plain": lambda: measure_once(ours, "plain"),
        "spans": lambda: measure_once(ours, "spans"),
        "original spans": lambda: measure_once(original, "spans"),
    }
    samples = run_rounds("frames", setting.sizes.rounds, variants)
    for kind, peer in (("system", "original system"), ("spans", "original spans")):
        for pair in samples.per_round(lambda s, k=kind, p=peer: (s[k]["rows"], s[p]["rows"])):
            if len(set(pair)) != 1 or not pair[0]:
                raise BenchError(f"the frames of {kind} have {pair[0]} and {pair[1]} rows")

    def seconds(label):
        return duration(samples.median(lambda s: s[label]["seconds"]))

    def row(what, label, peer, name, target=None):
        ratios = samples.per_round(lambda s: s[peer]["seconds"] / s[label]["seconds"])
        return Row(what, seconds(label), f"{name} {seconds(peer)}", ratios, target)

    metrics = f"a frame of {lines} system metrics"
    memory = samples.per_round(
        lambda s: s["original system"]["peak_bytes"] / s["system"]["peak_bytes"]
    )
    peaks = [
        f"{samples.median(lambda s, k=kind: s[k]['peak_bytes']) / 2**20:.0f} MiB"
        for kind in ("system", "original system")
    ]
    return [
        row(metrics, "system", "original system", "original", at_least(30)),
        row("  beside json.loads of each line", "system", "plain", "json and pandas"),
        Row("  most memory of the process", peaks[0], f"original {peaks[1]}", memory),
        row(f"a frame of {lines // 5} spans", "spans", "original spans", "original"),
    ], samples


def merge(setting):
    megabytes = 16 if setting.sizes.quick else 1024
    folder = setting.dir / "timeline"
    program = setting.ours("bench_timeline", "--dir", folder, "--megabytes", megabytes)
    show_progress(f"merge: writing {megabytes} MB of traces")
    measure_once(program, "write")
    variants = {
        "merge": lambda: measure_once(program, "merge"),
        "copy": lambda: measure_once(program, "copy"),
    }
    samples = run_rounds("merge", min(setting.sizes.rounds, 5), variants)
    shutil.rmtree(folder, ignore_errors=True)

    def speed(label):
        return samples.median(lambda s: s[label]["megabytes_per_second"])

    what = f"merging {megabytes} MB of traces"
    peak = f"{samples.median(lambda s: s['merge']['peak']) / 2**20:.0f} MiB"
    ratios = samples.per_round(lambda s: s["merge"]["megabytes_per_second"] / 200)
    copied = samples.per_round(
        lambda s: s["merge"]["megabytes_per_second"] / s["copy"]["megabytes_per_second"]
    )
    ours = f"{speed('merge'):.0f} MB/s"
    return [
        Row(what, ours, "limit 200 MB/s", ratios, at_least(1)),
        Row(f"  in {peak}, beside reading it", ours, f"copy {speed('copy'):.0f} MB/s", copied),
    ], samples


PROFILE_CASES = {"frames": frames, "merge": merge}
