"""TensorBoard itself reads what our hook exports for it."""

import numpy as np
import pytest
import runs
from tensorboard.backend.event_processing import event_accumulator, event_file_loader

MODES = ("TRAIN", "EVAL", "GLOBAL")


@pytest.fixture(scope="module")
def exported(tmp_path_factory, run_program):
    folder = tmp_path_factory.mktemp("run")
    run_program("record_dtypes", folder / "run", "--tensorboard", folder / "board")
    return folder / "board"


@pytest.fixture(scope="module")
def board(exported):
    """The events by mode, none left out."""
    everything = {event_accumulator.SCALARS: 0, event_accumulator.HISTOGRAMS: 0}
    found = {}
    for mode in MODES:
        found[mode] = event_accumulator.EventAccumulator(str(exported / mode), everything)
        found[mode].Reload()
    return found


def edges() -> np.ndarray:
    positive = []
    edge = 1e-12
    while edge < 1e20:
        positive.append(edge)
        edge *= 1.1
    return np.array([-e for e in reversed(positive)] + [0.0] + positive)


def histogram(array: np.ndarray) -> dict:
    values = runs.widened(array).astype(np.float64).ravel()
    limits = edges()
    inside = values[np.isfinite(values)]
    counts, _ = np.histogram(inside, bins=limits)
    populated = np.flatnonzero(counts)
    start, end = populated[0], populated[-1] + 1
    with np.errstate(all="ignore"):
        return {
            "min": values.min(),
            "max": values.max(),
            "num": len(values),
            "sum": values.sum(),
            "sum_squares": (values * values).sum(),
            "bucket_limit": limits[start : end + 1],
            "bucket": np.concatenate([[0], counts[start:end]]),
        }


def largest(array: np.ndarray) -> float:
    values = np.abs(runs.widened(array).astype(np.float64).ravel())
    return float(np.max(values[np.isfinite(values)]))


def is_drawn(array: np.ndarray) -> bool:
    dtype = runs.dtype_of(array)
    return dtype in runs.FLOATS or runs.is_integer(dtype)


def tag(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-/_." else "_" for c in name)


def drawn(step: runs.Step) -> dict[str, np.ndarray]:
    """What a histogram is due of: tensors of collections that want one, single numbers included."""
    collection = {"kept": "kept", "reduced": "reduced", "both": "both"}
    found = {}
    for name, array in step.records:
        folder = name.split("/")[0]
        if folder in ("plain", "special", "zero_d", "shapes", "odd", "kept") and is_drawn(array):
            found[tag(f"{collection.get(folder, 'values')}/{name}")] = array
    # These are saved as their reductions only, yet drawn whole.
    dtypes = [d for d in (*runs.FLOATS, "int32") if d != "bfloat16" or step.step % 2 == 1]
    for dtype in dtypes:
        found[f"reduced/reduced/{dtype}"] = runs.odd_eighths(dtype, step.step)
    found["reduced/reduced/colon_0"] = runs.odd_eighths("float32", step.step)
    found["both/both/float32"] = runs.plain("float32", (2, 3), step.step)
    return found


def steps_of(mode: str) -> list[runs.Step]:
    return [step for step in runs.recorded_run().steps if step.mode == mode]


def test_only_modes_with_something_to_show(exported):
    assert sorted(p.name for p in exported.iterdir()) == sorted(MODES)


@pytest.mark.parametrize("mode", MODES)
def test_scalars(board, mode):
    steps = steps_of(mode)
    assert sorted(board[mode].Tags()["scalars"]) == ["Loss_output_0", "scalar/rate"]
    loss = [(e.step, e.value) for e in board[mode].Scalars("Loss_output_0")]
    assert loss == [(s.step, (s.step + 1) / 4) for s in steps]
    rate = [(e.step, e.value) for e in board[mode].Scalars("scalar/rate")]
    assert rate == [(s.step, float(np.float32(0.1 * (s.step + 1)))) for s in steps]


@pytest.mark.parametrize("mode", MODES)
def test_histograms(board, mode):
    wanted = {
        (name, step.step): array for step in steps_of(mode) for name, array in drawn(step).items()
    }
    seen = {
        (name, event.step): event.histogram_value
        for name in board[mode].Tags()["histograms"]
        for event in board[mode].Histograms(name)
    }
    assert seen.keys() == wanted.keys()
    for key, array in wanted.items():
        for field, numbers in histogram(array).items():
            # A sum depends on the order of its summands, as far as the largest of them is rounded.
            slack = 1e-15 * largest(array) if field == "sum" else 0
            np.testing.assert_allclose(
                getattr(seen[key], field),
                numbers,
                rtol=1e-14 if field == "sum_squares" else 0,
                atol=slack,
                err_msg=f"{key} {field}",
            )


def test_every_record_has_its_checksum(exported):
    """The loader refuses a record whose checksum is wrong, and all that follow it."""
    files = sorted(exported.rglob("*.tfevents"))
    assert len(files) == 7
    for path in files:
        size = sum(12 + len(e) + 4 for e in event_file_loader.RawEventFileLoader(str(path)).Load())
        assert size == path.stat().st_size
