"""Capture in XGBoost: what a hook costs a round of boosting, beside the original's."""

import contextlib
from pathlib import Path

from cases import Row, at_most, duration
from sampling import Program, run_rounds

# By variant of xgboost_rounds.py: what it is called, and how much longer than without a hook a
# round may take; None: for information.
VARIANTS = {
    "idle": ("hook that saves nothing", 1.01),
    "importance_5": ("metrics every round, feature importance every 5", 1.05),
    "report_5": ("the same with predictions, labels and trees every 5", None),
}


def capture(setting):
    """The rows; the original's where its environment has an XGBoost."""
    script = Path(__file__).with_name("xgboost_rounds.py")
    with contextlib.ExitStack() as programs:
        ours, original = (
            programs.enter_context(Program([python, script, "--dir", setting.dir]))
            for python in (setting.python, setting.peer_torch_python)
        )
        variants = {name: lambda name=name: ours.measure(name) for name in VARIANTS}
        for name in VARIANTS:
            variants[f"original {name}"] = lambda name=name: original.measure(name)
        samples = run_rounds("capture, xgboost", setting.sizes.capture_rounds, variants)

    def step(label):
        return duration(samples.median(lambda s: s[label]["seconds"] / s[label]["steps"]))

    def ratios(label):
        return samples.per_round(lambda s: s[label]["seconds"] / s[label]["reference"])

    plain = samples.median(lambda s: s["idle"]["reference"] / s["idle"]["steps"])
    rows = []
    for name, (what, limit) in VARIANTS.items():
        reference = f"no hook {duration(plain)}"
        target = at_most(limit) if limit else None
        rows.append(Row(f"xgboost: {what}", step(name), reference, ratios(name), target))
        label = f"original {name}"
        rows.append(Row("  the same with the original", step(label), reference, ratios(label)))
    return rows, samples


XGBOOST_CASES = {"capture-xgboost": capture}
