"""Made-up runs from a seed: everything the rules look at, in every form in which it is saved."""

from __future__ import annotations

import copy

import numpy as np
from made_up import Run, Saved, Step, reduce
from random_values import (
    FLOATS,
    Classes,
    Images,
    Loss,
    Plain,
    Random,
    Units,
    Weight,
    chance,
    choose,
    spoil,
    tokens,
    tree,
)

REDUCTIONS = (
    ("min", "max"),
    ("abs_max",),
    ("mean",),
    ("abs_mean",),
    ("variance",),
    ("mean", "std"),
    ("l2",),
    ("sum",),
    ("min", "mean"),
    ("abs_max", "abs_mean"),
    ("min", "max", "mean", "l2", "abs_mean"),
)
ROLES = {
    "relu_input": ["act9_input_"],
    "relu_output": ["act9_output_"],
    "sigmoid_input": ["gate9_input_"],
    "first_input": ["Net_input_0"],
}
SCHEDULES = (("GLOBAL",), ("TRAIN",), ("TRAIN", "EVAL"), ("TRAIN", "EVAL", "PREDICT"))
# At every step of every worker, in full and finite.
ALWAYS = ("gradient/Net_fc1.bias", "feature_importance/weight/f0", "aux_loss_output_0")


def is_mixed(seed: int) -> bool:
    """Whether steps of no mode lie between steps of modes."""
    return seed % 6 == 5


def is_dirty(seed: int) -> bool:
    """Whether something is not finite now and then."""
    return seed % 4 != 0


def is_complete(seed: int) -> bool:
    """Whether all labels have predictions."""
    return seed % 3 != 0


def schedule(rng: Random, mixed: bool) -> list[tuple[int, str, int]]:
    """Saved steps: number, mode, number in the mode. Steps that were not saved count, too."""
    modes = ("TRAIN", "EVAL", "PREDICT", "GLOBAL") if mixed else choose(rng, SCHEDULES)
    # With losses in both from the start it is clear what is compared with what.
    series = [mode for mode in modes[:2] for _ in range(2)]
    while len(series) < 70:
        series += [choose(rng, modes)] * int(rng.integers(1, 7))
    every, counts, saved = int(rng.integers(1, 4)), dict.fromkeys(modes, 0), []
    for step, mode in enumerate(series):
        mode_step = step if mode == "GLOBAL" else counts[mode]
        counts[mode] += 1
        if step < 4 or (step % every == 0 and not chance(rng, 0.1)):
            saved.append((step, mode, mode_step))
    return saved[:36]


class _Model:
    """The sources of one worker's tensors; weights are those of all workers."""

    def __init__(self, rng: Random):
        self.rng = rng
        rank_two, small = ((4, 3), (8, 2)), ((5,), (), (2, 3, 2))
        self.gradients = [Plain(rng, (*rank_two, *small, (0,), (200,)), FLOATS) for _ in range(3)]
        self.bias_gradient = Plain(rng, ((4,),), FLOATS)
        self.plain = [Plain(rng) for _ in range(5)]
        self.losses = {name: Loss(rng) for name in ("CrossEntropyLoss", "aux_loss")}
        self.relu = [Units(rng, -1.0, 0.0) for _ in range(3)]
        self.relu_in = [Plain(rng, ((8, 4), (6,)), FLOATS) for _ in range(3)]
        self.tanh = Units(rng, -9.5, 10.0)
        self.gates = [Units(rng, -24.0, 17.0) for _ in range(3)]
        self.images, self.other_images = Images(rng), Images(rng)
        self.classes = [Classes(rng) for _ in range(int(rng.integers(1, 3)))]
        self.trained = [0] if chance(rng, 0.5) else [0, 1, 2]

    def forward(self) -> dict[str, np.ndarray]:
        made = {
            "Net_input_0": self.other_images(),
            "hybridsequential0_input_0": self.images(),
            "embedding0_input_0": tokens(self.rng),
            "rnn0_tanh_input_0": self.tanh(),
            "rnn1_Sigmoid_input_0": self.gates[0](),
            "gate8_input_0": self.gates[1](),
            "gate9_input_0": self.gates[2](),
        }
        for name, source, output in zip(
            ("body1_relu", "body2_ReLU", "act9"), self.relu_in, self.relu, strict=True
        ):
            made[f"{name}_input_0"] = source()
            made[f"{name}_output_0"] = output()
        for name, loss in self.losses.items():
            made[f"{name}_output_0"] = loss()
        for end, classes in zip(("", "_b"), self.classes, strict=False):
            made[f"labels{end}"], made[f"predictions{end}"] = classes()
        return made

    def rest(self, weights: list[str], round_: int) -> dict[str, np.ndarray]:
        made = {f"gradient/{weights[i]}": self.gradients[i]() for i in reversed(self.trained)}
        made["gradient/Net_fc1.bias"] = self.bias_gradient()
        made |= {f"plain/{i}": source() for i, source in enumerate(self.plain)}
        features = self.rng.random(choose(self.rng, (2, 4, 8))) ** choose(self.rng, (1, 8))
        for i, weight in enumerate(features):
            made[f"feature_importance/weight/f{i}"] = np.array([weight])
        made |= {f"trees/{column}": x for column, x in tree(self.rng, round_).items()}
        return made


def random_run(seed: int) -> Run:
    rng = np.random.default_rng(seed)
    workers = [f"worker_{i}" for i in range(1 + seed % 3)]
    shared = {
        "Net_fc1.weight": Weight(rng, (4, 3), choose(rng, FLOATS)),
        "Net_conv.weight": Weight(rng, (3, 2, 2, 2), choose(rng, FLOATS)),
        "Net_scale.weight": Weight(rng, choose(rng, ((), (7,), (5, 1))), "float64"),
        "Net_table.weight": Weight(rng, (3, 4), "int32"),
        "Net_fc1.bias": Weight(rng, (4,), "float32"),
    }
    models = {worker: _Model(rng) for worker in workers}
    save = _Saver(rng, is_complete(seed))
    steps = []
    for step, mode, mode_step in schedule(rng, is_mixed(seed)):
        weights = {name: source() for name, source in shared.items()}
        dirty = is_dirty(seed) and chance(rng, 0.25)
        content = {}
        for worker, model in models.items():
            made = {name: _drift(rng, array) for name, array in weights.items()}
            made |= model.forward() | model.rest(list(weights), step)
            content[worker] = save(made, dirty)
        steps.append(Step(step, mode, mode_step, content))
    return Run(steps, ROLES if chance(rng, 0.5) else {})


def _drift(rng: Random, array: np.ndarray) -> np.ndarray:
    """A replica that is no longer quite the same."""
    factor = choose(rng, (1 + 1e-9, 1.01)) if chance(rng, 0.06) else 1
    return (array * factor).astype(array.dtype)


class _Saver:
    """Leaves something out, spoils something, saves something only as reductions."""

    def __init__(self, rng: Random, keep_predictions: bool):
        self.rng, self.keep_predictions = rng, keep_predictions
        self.habits: dict[str, tuple[str, tuple[str, ...]]] = {}  # How each tensor is saved.

    def __call__(self, made: dict[str, np.ndarray], dirty: bool) -> dict[str, Saved]:
        content = {"scalar/lr": Saved(np.array([0.1]))}  # So that no worker's step is empty.
        for name, array in made.items():
            kept = self.keep_predictions and name.startswith(("labels", "predictions"))
            if name in ALWAYS:
                kept = True
            elif _is_loss(name):
                # All of its values or none: their mean stays exact.
                array = np.full_like(array, np.nan) if self._spoils(dirty) else array
            elif chance(self.rng, 0.05) and not kept:
                continue
            elif self._spoils(dirty) and not (kept and name.startswith("predictions")):
                array = spoil(self.rng, array)
            if array.size:  # An empty tensor leaves no trace.
                content[name] = Saved(array) if kept else self._form(name, array)
        return content

    def _spoils(self, dirty: bool) -> bool:
        return chance(self.rng, 0.1) and dirty

    def _form(self, name: str, array: np.ndarray) -> Saved:
        if array.dtype.kind == "U":
            return Saved(array)
        often = name.startswith(("gradient/", "plain/")) or "relu_input" in name
        forms = ("raw",) * (6 if often else 20) + ("both", "reduced") + ("reduced",) * often
        habit = choose(self.rng, forms), choose(self.rng, REDUCTIONS)
        form, reductions = self.habits.setdefault(name, habit)
        if chance(self.rng, 0.03):
            form = choose(self.rng, ("both", "reduced", "shape"))
        if _is_loss(name):
            reductions, form = ("mean",), "raw" if form == "shape" else form
        reduced = {reduction: reduce(array, reduction) for reduction in reductions}
        return {
            "raw": Saved(array),
            "both": Saved(array, reduced),
            "reduced": Saved(None, reduced),
            "shape": Saved(),
        }[form]


def _is_loss(name: str) -> bool:
    return name.endswith("oss_output_0")


def altered(run: Run, seed: int) -> Run:
    """Another run of the same training: some steps and tensors are missing, some values differ."""
    rng = np.random.default_rng([seed, 1])
    other = copy.deepcopy(run)
    other.steps = [step for step in other.steps if not chance(rng, 0.1)]
    for step in other.steps:
        for tensors in step.workers.values():
            for name, saved in list(tensors.items()):
                if chance(rng, 0.05) and name != "scalar/lr":
                    del tensors[name]
                elif chance(rng, 0.1) and saved.raw is not None and saved.raw.dtype.kind != "U":
                    saved.raw = _unlike(rng, saved.raw)
    return other


def _unlike(rng: Random, array: np.ndarray) -> np.ndarray:
    if chance(rng, 0.2):
        return array.reshape(*array.shape, 1)
    return (array * choose(rng, (1 + 1e-9, 1.01))).astype(array.dtype)
