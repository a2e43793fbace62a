"""The benchmarks: what is measured, beside what, and what was promised of it."""

import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Optional

from sampling import Program, measure_once, run_rounds, show_progress


@dataclass
class Target:
    text: str
    holds: Callable[[float], bool]


def at_least(limit):
    return Target(f">= {limit:g}", lambda ratio: ratio >= limit)


def at_most(limit):
    return Target(f"<= {limit:.3g}", lambda ratio: ratio <= limit)


@dataclass
class Row:
    what: str
    ours: str
    peer: str = ""
    ratios: list = field(default_factory=list)  # One for each round.
    target: Optional[Target] = None  # None: for information.

    @property
    def ratio(self):
        return statistics.median(self.ratios)

    @property
    def verdict(self):
        if self.target is None:
            return ""
        return "met" if self.target.holds(self.ratio) else "MISSED"


@dataclass
class Sizes:
    rounds: int = 9
    quick: bool = False  # A smoke test: whatever is not below is made small, too.
    reduce_mib: int = 256
    write_steps: int = 4
    write_tensors: int = 4
    write_mib: int = 16
    open_steps: tuple = (2000, 4000, 8000)
    saved_steps: int = 200
    peer_saved_steps: int = 50
    capture_rounds: int = 7
    rule_steps: int = 500
    alert_steps: int = 400


QUICK = Sizes(
    rounds=1,
    quick=True,
    reduce_mib=8,
    write_steps=2,
    write_tensors=2,
    write_mib=2,
    open_steps=(50, 100, 200),
    saved_steps=20,
    peer_saved_steps=5,
    capture_rounds=1,
    rule_steps=20,
    alert_steps=20,
)


@dataclass
class Setting:
    bin: Path  # Our programs.
    python: Path  # With our packages and PyTorch.
    peer_python: Path
    peer_torch_python: Path  # The original with PyTorch.
    dir: Path  # The disk that is measured.
    sizes: Sizes

    def ours(self, program, *flags):
        return [self.bin / program, "--json", *flags]

    def peer(self, *flags):
        script = Path(__file__).with_name("peer_smdebug.py")
        return [self.peer_python, script, "--dir", self.dir, *flags]


# ---- Numbers of a sample, and how they are shown.


def speed(sample):
    return sample["bytes"] / sample["seconds"]


def gigabytes(samples, label):
    return f"{samples.median(lambda s: speed(s[label])) / 1e9:.3g} GB/s"


def per(unit):
    return lambda sample: sample["seconds"] / sample[unit]


def duration(seconds):
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


# ---- The benchmarks. Each gives its rows and its samples.

# Which way of only reading memory is the fastest depends on the processor.
READS = ("read", "read_ahead", "read_streams")
DTYPES = ("float32", "float16", "bfloat16", "float64", "int32")


def reductions(setting):
    mib = setting.sizes.reduce_mib
    with Program(setting.ours("bench_reductions", "--mib", mib)) as ours, Program(
        setting.peer("--mib", mib)
    ) as peer:
        names = [f"{kind}_{t}" for t in DTYPES for kind in ("reduce", *READS)]
        names += ["median", "histogram", "reduce_small"]
        variants = {name: lambda name=name: ours.measure(name) for name in names}
        variants["original"] = lambda: peer.measure("reduce")
        variants["numpy"] = lambda: peer.measure("numpy")
        samples = run_rounds("reductions", setting.sizes.rounds, variants)

    def limit(dtype):
        """The best of the read passes, round by round."""
        return lambda s: max(speed(s[f"{kind}_{dtype}"]) for kind in READS)

    def beside_reading(dtype):
        return samples.per_round(lambda s: speed(s[f"reduce_{dtype}"]) / limit(dtype)(s))

    def beside(label):
        return samples.per_round(lambda s: speed(s["reduce_float32"]) / speed(s[label]))

    def reading(dtype):
        return f"reading only {samples.median(limit(dtype)) / 1e9:.3g} GB/s"

    ours = gigabytes(samples, "reduce_float32")
    rows = [
        Row(
            f"18 reductions, float32, {mib} MiB",
            ours,
            reading("float32"),
            beside_reading("float32"),
            at_least(0.7),
        ),
        Row(
            "  beside reading from front to back",
            ours,
            f"reading so {gigabytes(samples, 'read_float32')}",
            beside("read_float32"),
        ),
        Row(
            "  beside the original's functions",
            ours,
            f"original {gigabytes(samples, 'original')}",
            beside("original"),
            at_least(50),
        ),
        Row(
            "  beside NumPy, written with care",
            ours,
            f"NumPy {gigabytes(samples, 'numpy')}",
            beside("numpy"),
        ),
    ]
    for dtype in DTYPES[1:]:
        rate = gigabytes(samples, f"reduce_{dtype}")
        rows.append(Row(f"  {dtype}", rate, reading(dtype), beside_reading(dtype)))
    for name in ("median", "histogram"):
        ratios = samples.per_round(lambda s, name=name: speed(s[name]) / limit("float32")(s))
        rows.append(Row(f"  {name}", gigabytes(samples, name), reading("float32"), ratios))
    small = samples.median(lambda s: per("calls")(s["reduce_small"]))
    rows.append(Row("18 reductions, float32, 4 KiB, per call", duration(small)))
    return rows, samples


def writing(setting):
    sizes = setting.sizes
    shape = ("--steps", sizes.write_steps, "--tensors", sizes.write_tensors)
    with Program(
        setting.ours("bench_writing", "--dir", setting.dir, *shape, "--mib", sizes.write_mib)
    ) as ours, Program(setting.peer(*shape, "--tensor-mib", sizes.write_mib)) as peer:
        names = ("hook", "hook_without_checksums", "plain", "records", "memcpy")
        variants = {name: lambda name=name: ours.measure(name) for name in names}
        variants["original"] = lambda: peer.measure("write")
        samples = run_rounds("writing", sizes.rounds, variants)

    def ratios(label, other):
        return samples.per_round(lambda s: speed(s[label]) / speed(s[other]))

    total = sizes.write_steps * sizes.write_tensors * sizes.write_mib
    hook = gigabytes(samples, "hook")
    plain = f"plain write {gigabytes(samples, 'plain')}"
    original = statistics.median(ratios("original", "plain"))
    return [
        Row(
            f"raw tensors through the hook, {total} MiB",
            hook,
            plain,
            ratios("hook", "plain"),
            at_least(0.8),
        ),
        Row(
            "  beside the hook without checksums",
            hook,
            f"without {gigabytes(samples, 'hook_without_checksums')}",
            ratios("hook", "hook_without_checksums"),
        ),
        Row(
            "  beside the original's writer",
            hook,
            f"original {gigabytes(samples, 'original')} ({original:.2f} of plain)",
            ratios("hook", "original"),
        ),
        Row(
            "  beside a copy in memory",
            hook,
            f"memcpy {gigabytes(samples, 'memcpy')}",
            ratios("hook", "memcpy"),
        ),
        Row(
            "records with true checksums",
            gigabytes(samples, "records"),
            plain,
            ratios("records", "plain"),
            at_least(0.7),
        ),
    ], samples


def opening(setting):
    sizes = setting.sizes
    runs = {steps: setting.dir / f"run-{steps}" for steps in sizes.open_steps}
    commands = {}
    for steps, run in runs.items():
        show_progress(f"opening: writing a run of {steps} steps")
        commands[steps] = setting.ours("bench_opening", "--run", run)
        measure_once([*commands[steps], "--steps", steps], "write")
    few, many = sizes.open_steps[0], sizes.open_steps[-1]
    variants = {
        f"ours {steps}": lambda command=command: measure_once(command, "read")
        for steps, command in commands.items()
    }
    variants["original"] = lambda: measure_once(setting.peer("--run", runs[few]), "open")
    samples = run_rounds("opening", sizes.rounds, variants)

    def seconds(label):
        return samples.median(lambda s: s[label]["seconds"])

    def megabytes(label):
        return f"{samples.median(lambda s: s[label]['peak']) / 1e6:.3g} MB"

    ours = f"ours {few}"
    imported = samples.median(lambda s: s["original"]["import"])
    rows = [
        Row(
            f"open a run of {few} steps, read a tensor",
            duration(seconds(ours)),
            f"original {duration(seconds('original'))} (+ import {duration(imported)})",
            samples.per_round(lambda s: s["original"]["seconds"] / s[ours]["seconds"]),
            at_least(30),
        ),
        Row(
            "  peak memory",
            megabytes(ours),
            f"original {megabytes('original')}",
            samples.per_round(lambda s: s[ours]["peak"] / s["original"]["peak"]),
            at_most(1 / 3),
        ),
    ]

    def step_cost(steps):
        return lambda s: per("steps")(s[f"ours {steps}"])

    for steps in sizes.open_steps[1:]:
        rows.append(
            Row(
                f"  cost of a step, run of {steps} steps",
                duration(samples.median(step_cost(steps))),
                f"of {few} steps: {duration(samples.median(step_cost(few)))}",
                samples.per_round(lambda s, n=steps: step_cost(n)(s) / step_cost(few)(s)),
                at_most(1.25) if steps == many else None,
            )
        )
    return rows, samples


def idle(setting):
    sizes = setting.sizes
    with Program(
        setting.ours("bench_steps", "--dir", setting.dir, "--steps", sizes.saved_steps)
    ) as ours, Program(setting.peer("--small-steps", sizes.peer_saved_steps)) as peer:
        names = ("idle", "idle_by_name", "save_scalar", "save_small")
        variants = {name: lambda name=name: ours.measure(name) for name in names}
        for name in ("write_scalar", "write_small"):
            variants[name] = lambda name=name: peer.measure(name)
        samples = run_rounds("idle", sizes.rounds, variants)

    def step(label):
        return duration(samples.median(lambda s: per("steps")(s[label])))

    def beside(label, other):
        return samples.per_round(lambda s: per("steps")(s[other]) / per("steps")(s[label]))

    limit = 2e-6
    by_name = samples.median(lambda s: per("calls")(s["idle_by_name"]))
    return [
        Row(
            "a step that saves none of 1,000 tensors",
            step("idle"),
            f"limit {duration(limit)}",
            samples.per_round(lambda s: per("steps")(s["idle"]) / limit),
            Target("< 1", lambda ratio: ratio < 1),
        ),
        Row("  asking for a tensor by name", duration(by_name)),
        Row(
            "a step that saves one scalar",
            step("save_scalar"),
            f"original's writer {step('write_scalar')}",
            beside("save_scalar", "write_scalar"),
        ),
        Row(
            "a step that saves 84 small tensors",
            step("save_small"),
            f"original's writer {step('write_small')}",
            beside("save_small", "write_small"),
        ),
    ], samples


CASES = {"reductions": reductions, "writing": writing, "opening": opening, "idle": idle}
