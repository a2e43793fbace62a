"""What the original library writes, our reader reads, value by value."""

import dataclasses

import pytest
import runs
import snapshot


@pytest.fixture(scope="module")
def written(tmp_path_factory, run_original):
    folder = tmp_path_factory.mktemp("foreign")
    run_original("write_with_original.py", "foreign", folder / "run")
    return folder / "run"


@pytest.fixture(scope="module")
def seen(written, run_program):
    run_program("dump_run", written, written.parent / "seen.json")
    return snapshot.load(written.parent / "seen.json")


@pytest.fixture(scope="module")
def wanted():
    return snapshot.expected(runs.foreign_run())


def test_names_steps_and_workers(seen, wanted):
    snapshot.check_outline(seen, wanted)


def test_values_and_shapes(seen, wanted):
    for key, entry in wanted.entries.items():
        assert seen.entries[key] == entry, key


def test_no_damage_is_found(written, run_program):
    run_program("warden", "trial", "verify", written)


def test_every_type_is_compared(wanted):
    written = {e.value.dtype for e in wanted.entries.values() if e.value is not None}
    assert written == {*runs.NUMERIC, "str"} - {"bfloat16"}


def test_reductions_of_both_shapes(seen, wanted):
    shapes = {value.shape for entry in seen.entries.values() for value in entry.reductions.values()}
    assert shapes == {(), (1,)}
    assert any(len(e.reductions) == 18 for e in wanted.entries.values())


def test_collections(seen, wanted):
    assert dataclasses.asdict(seen)["collections"] == wanted.collections
