"""Rules: how fast a run is evaluated, beside the original's rule API and the speed of memory."""

from cases import Row, at_least, duration
from sampling import measure_once, run_rounds, show_progress

TENSORS = 100


def rules(setting):
    sizes = setting.sizes
    runs = {kib: setting.dir / f"gradients-{kib}" for kib in (4, 64)}
    commands = {}
    for kib, run in runs.items():
        show_progress(f"rules: writing a run of tensors of {kib} KiB")
        steps = sizes.rule_steps if kib == 4 else max(sizes.rule_steps // 10, 2)
        flags = ("--run", run, "--steps", steps, "--tensors", TENSORS, "--kib", kib)
        commands[kib] = setting.ours("bench_rules", *flags)
        measure_once(commands[kib], "write")
    variants = {
        "all": lambda: measure_once(commands[4], "all"),
        "vanishing": lambda: measure_once(commands[4], "vanishing"),
        "original": lambda: measure_once(setting.peer("--run", runs[4]), "rule"),
        "one pass": lambda: measure_once(commands[64], "one_pass"),
        "read": lambda: measure_once(commands[64], "read"),
    }
    samples = run_rounds("rules", sizes.rounds, variants)

    def step(sample):
        return sample["seconds"] / sample["steps"]

    def speed(sample):
        return sample["bytes"] / sample["seconds"]

    def gigabytes(label):
        return f"{samples.median(lambda s: speed(s[label])) / 1e9:.3g} GB/s"

    original = f"original, one rule {duration(samples.median(lambda s: step(s['original'])))}"
    return [
        Row(
            f"all 20 rules, a step of {TENSORS} gradients of 4 KiB",
            duration(samples.median(lambda s: step(s["all"]))),
            original,
            samples.per_round(lambda s: step(s["original"]) / step(s["all"])),
            at_least(20),
        ),
        Row(
            "  VanishingGradient alone",
            duration(samples.median(lambda s: step(s["vanishing"]))),
            original,
            samples.per_round(lambda s: step(s["original"]) / step(s["vanishing"])),
        ),
        Row(
            "four rules of one pass, gradients of 64 KiB, from files",
            gigabytes("one pass"),
            f"reading memory {gigabytes('read')}",
            samples.per_round(lambda s: speed(s["one pass"]) / speed(s["read"])),
            at_least(0.5),
        ),
    ], samples


RULE_CASES = {"rules": rules}
