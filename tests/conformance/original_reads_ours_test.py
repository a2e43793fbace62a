"""What our hook records, the original library reads, value by value."""

import dataclasses
import json

import pytest
import runs
import snapshot


@pytest.fixture(scope="module", params=[False, True], ids=["all_types", "original_types_only"])
def readings(request, tmp_path_factory, run_program, run_original):
    """What was recorded and what the original sees of it."""
    folder = tmp_path_factory.mktemp("run")
    options = ["--original-types-only"] if request.param else []
    recorded = run_program("record_dtypes", folder / "run", *options)
    assert recorded.stdout == ""
    run_program("warden", "trial", "verify", folder / "run")
    run_original("read_with_original.py", folder / "run", folder / "seen.json")
    wanted = snapshot.expected(runs.recorded_run(original_types_only=request.param))
    return wanted, snapshot.load(folder / "seen.json")


def as_original_reads(wanted: snapshot.Entry) -> snapshot.Entry:
    """Types it does not know it cannot read; int8 it takes for uint8."""
    value = wanted.value
    if value is not None and value.dtype == "int8":
        return dataclasses.replace(wanted, value=dataclasses.replace(value, dtype="uint8"))
    if value is not None and value.dtype not in runs.KNOWN_TO_ORIGINAL:
        return dataclasses.replace(wanted, value=None, shape=(), error="KeyError")
    return wanted


def test_names_steps_and_workers(readings):
    wanted, seen = readings
    snapshot.check_outline(seen, wanted)


def test_values_and_shapes(readings):
    wanted, seen = readings
    for key, entry in wanted.entries.items():
        found = dataclasses.replace(seen.entries[key], reductions={})
        assert found == dataclasses.replace(as_original_reads(entry), reductions={}), key


def test_every_type_is_compared(readings):
    wanted, seen = readings
    read = {e.value.dtype for e in seen.entries.values() if e.value is not None}
    assert read == runs.KNOWN_TO_ORIGINAL
    written = {e.value.dtype for e in wanted.entries.values() if e.value is not None}
    assert written in (runs.KNOWN_TO_ORIGINAL, {*runs.NUMERIC, "str"})


def test_reductions(readings):
    wanted, seen = readings
    assert any(len(e.reductions) == 18 for e in wanted.entries.values())
    for key, entry in wanted.entries.items():
        snapshot.check_reductions(seen.entries[key], entry, key)


def test_collections(readings):
    wanted, seen = readings
    assert list(seen.collections) == list(wanted.collections)
    names = {name for name, _, _ in wanted.entries}
    assert set(seen.collections["values"]) >= {n for n in names if n.startswith("plain/")}
    assert seen.collections["losses"] == ["Loss_output_0"]
    assert seen.collections["kept"] == ["kept/float32", "kept/hollow"]
    assert seen.collections["weights"] == []


def test_roles_change_nothing_for_it(tmp_path, run_program, run_original):
    run_program("record_dtypes", tmp_path / "run", "--original-types-only")
    run_original("read_with_original.py", tmp_path / "run", tmp_path / "without.json")
    (path,) = (tmp_path / "run").rglob("*_collections.json")
    manifest = json.loads(path.read_text())
    manifest["_meta"]["roles"] = {"labels": ["Loss_input_1"], "relu_output": ["1_output_"]}
    path.write_text(json.dumps(manifest))
    run_program("warden", "trial", "verify", tmp_path / "run")
    run_original("read_with_original.py", tmp_path / "run", tmp_path / "with.json")
    assert (tmp_path / "with.json").read_bytes() == (tmp_path / "without.json").read_bytes()
