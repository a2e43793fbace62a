"""MXNet: the original reads what our hook records, and finds in it what its own hook records.

The same training runs twice, once under each library."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import snapshot

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("mxnet_training.py")
PYTHON = ROOT / "build" / "venv-mxnet" / "bin" / "python"
ORIGINAL = ROOT / "build" / "venv-smdebug" / "lib"
# The original, and what it imports beside NumPy, which must be the one that MXNet works with.
NEEDED = """smdebug packaging pyinstrument pyinstrument_cext* google boto3 botocore s3transfer
jmespath dateutil six.py urllib3 pandas pytz psutil pkg_resources""".split()


def train(run, **environment):
    done = subprocess.run(
        [PYTHON, SCRIPT, run],
        env={**os.environ, "OMP_NUM_THREADS": "1", "SMDEBUG_LOG_LEVEL": "error", **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def readings(tmp_path_factory, run_original, run_program):
    """What the original sees in a run of ours, and in one of its own."""
    folder = tmp_path_factory.mktemp("mxnet")
    library = folder / "original"
    library.mkdir()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for pattern in NEEDED:
        for found in (ORIGINAL / version / "site-packages").glob(pattern):
            (library / found.name).symlink_to(found)
    train(folder / "ours")
    train(folder / "theirs", PYTHONPATH=str(library))
    run_program("warden", "trial", "verify", folder / "ours")
    seen = []
    for name in ("ours", "theirs"):
        run_original("read_with_original.py", folder / name, folder / f"{name}.json")
        seen.append(snapshot.load(folder / f"{name}.json"))
    return seen


def keys(entries, step):
    return {name for name, at, _ in entries if at == step}


def is_parameter(name):
    return name.endswith(("_weight", "_bias", "_gamma", "_beta"))


def test_the_same_tensors(readings):
    ours, theirs = readings
    for step in (0, 5):
        assert keys(ours.entries, step) == keys(theirs.entries, step)
        assert any(name.startswith("gradient/") for name in keys(ours.entries, step))
    assert "net_dense0_input_1" in keys(ours.entries, 0), "a block that was called twice"
    assert "net_input_2" in keys(ours.entries, 0), "a list in a list"


def test_the_same_values(readings):
    ours, theirs = readings
    compared = ours.entries.keys() & theirs.entries.keys()
    assert len(compared) > 100
    for key in compared:
        mine, its = ours.entries[key], theirs.entries[key]
        assert (mine.mode, mine.mode_step) == (its.mode, its.mode_step), key
        assert mine.value == its.value, key
        assert mine.reductions.keys() == its.reductions.keys(), key
        for name, value in its.reductions.items():
            # Of values that cancel each other out, a sum is but what rounding leaves.
            wanted = pytest.approx(value.number(), rel=1e-5, abs=1e-6)
            assert mine.reductions[name].number() == wanted, (key, name)
    assert any(entry.reductions for entry in theirs.entries.values())


def test_what_the_original_loses_when_the_mode_changes(readings):
    """It reads parameters and gradients when the next step has begun, in that one's mode."""
    ours, theirs = readings
    lost = keys(ours.entries, 2) - keys(theirs.entries, 2)
    assert all(map(is_parameter, lost))
    assert {"net_dense0_weight", "gradient/net_dense0_weight"} <= lost
    assert not keys(theirs.entries, 2) - keys(ours.entries, 2)


def test_gradients_of_an_evaluation(readings):
    """It has none: those that the original saves are of the step before."""
    ours, theirs = readings
    assert keys(ours.entries, 3) <= keys(theirs.entries, 3)
    extra = keys(theirs.entries, 3) - keys(ours.entries, 3)
    assert extra == {name for name in keys(theirs.entries, 3) if name.startswith("gradient/")}


def test_scalars_are_at_their_step(readings):
    ours, _ = readings
    assert ours.tensor_steps["scalar/loss"]["GLOBAL"] == [0, 1, 2, 4, 5]


def test_the_same_collections(readings):
    ours, theirs = readings
    assert ours.collections.keys() == theirs.collections.keys()
    for name, tensors in theirs.collections.items():
        assert set(tensors) <= set(ours.collections[name]), name
    # Frozen parameters have no gradients.
    assert not [name for name in ours.collections["gradients"] if "dense1" in name]
