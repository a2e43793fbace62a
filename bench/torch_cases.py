"""Capture in PyTorch: what a hook costs a training step, beside others'."""

import contextlib
from pathlib import Path

from cases import Row, at_least, at_most, duration
from sampling import Program, run_rounds

# By variant of torch_steps.py: what it is called, and how much longer than without a hook a step
# may take, of a usual model and of one whose step is a millisecond or two.
VARIANTS = {
    "idle": ("hook that saves nothing", 1.01, 1.02),
    "losses_1": ("losses every step", 1.01, 1.10),
    "reductions_1": ("18 reductions of weights, gradients, biases every step", 1.15, 2),
    "raw_1": ("weights, gradients, biases every step", 1.5, None),
    "all_1": ("everything every step", None, None),
    "reductions_10": ("18 reductions every 10 steps", 1.03, None),
    "raw_10": ("weights, gradients, biases every 10 steps", 1.10, None),
    "all_10": ("everything every 10 steps", 1.15, None),
}
# The original takes a second and more for these on a model of usual size.
SLOW_FOR_ORIGINAL = ("reductions_1", "raw_1", "all_1")
MODELS = ("tiny", "resnet18", "transformer")


def program(python, model, folder, *flags):
    script = Path(__file__).with_name("torch_steps.py")
    return Program([python, script, "--model", model, "--dir", folder, *flags])


def added(sample):
    """Seconds that a step takes longer than without a hook."""
    return (sample["seconds"] - sample["reference"]) / sample["steps"]


# The smallest part of a step that a sample tells from nothing.
RESOLUTION = 1 / 500


def gain(ours, original):
    """How many times less we add."""
    least = RESOLUTION * ours["reference"] / ours["steps"]
    return added(original) / max(added(ours), least)


def can_tell(samples, original):
    """Whether the original adds enough that a tenth of it could be seen."""
    share = samples.median(lambda s: s[original]["seconds"] / s[original]["reference"] - 1)
    return share >= 10 * RESOLUTION


def capture(setting, model):
    """The rows of one model."""
    with contextlib.ExitStack() as programs:
        # Long enough that a part in a hundred can be told from chance.
        flags = ("--steps", 50, "--blocks", 4) if model == "tiny" else ("--blocks", 3)
        ours = programs.enter_context(program(setting.python, model, setting.dir, *flags))
        peer = programs.enter_context(program(setting.peer_torch_python, model, setting.dir))
        variants = {name: lambda name=name: ours.measure(name) for name in VARIANTS}
        variants["summary"] = lambda: ours.measure("summary_10")
        for name in VARIANTS:
            if model == "tiny" or name not in SLOW_FOR_ORIGINAL:
                variants[f"original {name}"] = lambda name=name: peer.measure(name)
        samples = run_rounds(f"capture, {model}", setting.sizes.capture_rounds, variants)

    def step(label):
        return duration(samples.median(lambda s: s[label]["seconds"] / s[label]["steps"]))

    def ratios(label):
        return samples.per_round(lambda s: s[label]["seconds"] / s[label]["reference"])

    plain = samples.median(lambda s: s["idle"]["reference"] / s["idle"]["steps"])
    rows = []
    for name, (what, limit, tiny_limit) in VARIANTS.items():
        target = tiny_limit if model == "tiny" else limit
        rows.append(
            Row(
                f"{model}: {what}",
                step(name),
                f"no hook {duration(plain)}",
                ratios(name),
                at_most(target) if target else None,
            )
        )
        original = f"original {name}"
        if original in variants:
            rows.append(
                Row(
                    "  added time beside the original's",
                    step(name),
                    f"original {step(original)}",
                    samples.per_round(lambda s, n=name, o=original: gain(s[n], s[o])),
                    at_least(10) if can_tell(samples, original) else None,
                )
            )
    rows.append(
        Row(
            f"{model}: TensorBoard's SummaryWriter, histograms every 10 steps",
            step("summary"),
            f"no hook {duration(plain)}",
            ratios("summary"),
        )
    )
    return rows, samples


def scalars(setting):
    """Numbers saved from Python."""
    with program(setting.python, "tiny", setting.dir) as ours, program(
        setting.peer_torch_python, "tiny", setting.dir
    ) as peer:
        variants = {n: lambda n=n: ours.measure(n) for n in ("scalars_one", "scalars_batch")}
        variants["original"] = lambda: peer.measure("scalars_one")
        samples = run_rounds("scalars", setting.sizes.rounds, variants)

    def rate(sample):
        return sample["steps"] / sample["seconds"]

    def row(label, what, limit):
        return Row(
            what,
            f"{samples.median(lambda s: rate(s[label])):,.0f}/s",
            f"original {samples.median(lambda s: rate(s['original'])):,.0f}/s",
            samples.per_round(lambda s: rate(s[label]) / limit),
            at_least(1),
        )

    return [
        row("scalars_one", "scalars, one call each, of 200,000/s", 200_000),
        row("scalars_batch", "scalars, one call for all, of 1,000,000/s", 1_000_000),
    ], samples


TORCH_CASES = {
    **{f"capture-{m}": lambda setting, m=m: capture(setting, m) for m in MODELS},
    "scalars": scalars,
}
