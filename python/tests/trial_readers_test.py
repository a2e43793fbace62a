"""Reading single files, and the helpers beside trials."""

from __future__ import annotations

import builtins
import types

import numpy as np
import pytest

from smdebug import modes
from smdebug.analysis.utils import parse_bool, parse_list_from_str
from smdebug.core.index_reader import LocalIndexReader, ReadIndexFilesCache
from smdebug.core.reader import FileReader
from smdebug.core.reductions import (
    get_numpy_reduction,
    get_reduction_tensor_name,
    reverse_reduction_tensor_name,
)
from smdebug.core.writer import FileWriter
from smdebug.exceptions import (
    SMDebugError,
    SMDebugNotImplementedError,
    SMDebugTypeError,
    SMDebugValueError,
    TensorUnavailableForStep,
)
from smdebug.trials import create_trial


def test_file_reader(golden):
    run = golden / "pt_dtypes/trial"
    trial = create_trial(str(run))
    file = run / "events/000000000001/000000000001_worker_0.tfevents"
    with FileReader(str(file)) as reader:
        tensors = list(reader.read_tensors())
    assert sorted(name for name, *_ in tensors) == trial.tensor_names(step=1)
    for name, step, values, mode, mode_step in tensors:
        assert (step, mode, mode_step) == (1, modes.GLOBAL, 1)
        np.testing.assert_array_equal(values, trial.tensor(name).value(1))


def test_events_of_a_file(run):
    run.manifests().step(3, {"a/loss": 1, "b": [1, 2]}).end()
    reader = FileReader(str(next(run.folder.rglob("*.tfevents"))))
    first, second = reader.read_events()
    assert (first["timestamp"], first["step"], first["name"]) == (1.0, 3, "a/loss")
    np.testing.assert_array_equal(second["value"], [1, 2])
    assert [event["name"] for event in reader.read_events(regex_list=["loss$", "x"])] == ["a/loss"]
    assert reader.read_events(regex_list=[]) == []


def test_a_writer_takes_no_mode_for_global(tmp_path):
    with FileWriter(str(tmp_path), "worker_0", step=4) as writer:
        writer.write_tensor(np.ones(2), "a", mode=None)
    ((name, step, values, mode, mode_step),) = FileReader(writer.name()).read_tensors()
    assert (name, step, mode, mode_step) == ("a", 4, modes.GLOBAL, 4)
    np.testing.assert_array_equal(values, [1, 1])


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_absolute_values_of_the_least_integer(dtype):
    least = int(np.iinfo(dtype).min)
    array = np.array([least, -least - 1, 0, 1, 63, 7], dtype=dtype)
    wanted = [abs(int(value)) for value in array]
    for name in ("min", "max") if dtype == "int64" else ("min", "max", "sum"):  # Too large a sum.
        assert int(get_numpy_reduction(name, array, abs=True)) == getattr(builtins, name)(wanted)
    assert get_numpy_reduction("min", array[:1], abs=True) == -least
    assert get_numpy_reduction("max", array[1:], abs=True).dtype == dtype


def test_the_last_index_file(run):
    run.manifests(num_workers=2)
    trial = create_trial(str(run.folder))
    assert trial.last_index_token is None
    for worker in (0, 1):
        run.step(1007, {"a": 1}, worker=worker)
    run.step(1008, {"a": 1})
    trial.refresh_data()
    assert trial.last_index_token == str(run.folder / "index/000000001/000000001007_worker_1.json")


def test_file_reader_on_bad_files(run, tmp_path):
    run.manifests().step(0, {"a": 1, "b": 2})
    file = next(run.folder.rglob("*.tfevents"))
    file.write_bytes(file.read_bytes()[:-3])  # Cut off in the second record.
    tensors = FileReader(str(file)).read_tensors()
    assert next(tensors)[0] == "a"
    with pytest.raises(SMDebugError):
        next(tensors)
    with pytest.raises(SMDebugError):
        list(FileReader(str(tmp_path / "nowhere")).read_tensors())
    with pytest.raises(SMDebugNotImplementedError):
        FileReader(str(file), wtype="csv")


def test_index_readers(run):
    run.manifests().step(0, {"a": 1, "b": 2}).step(1, {"a": 3}).end()
    reader = create_trial(str(run.folder)).index_reader
    assert isinstance(reader, LocalIndexReader)
    files = reader.list_index_files()
    names = ["000000000000_worker_0.json", "000000000001_worker_0.json"]
    assert [file.rpartition("/")[2] for file in files] == names
    assert reader.list_index_files(files[0]) == files[1:]
    assert [file.endswith(".tfevents") for file in reader.list_event_files()] == [True, True]
    place = types.SimpleNamespace(
        tensorname="a",
        mode=modes.GLOBAL,
        mode_step=1,
        event_file_name="events/000000000001/000000000001_worker_0.tfevents",
        start_idx=0,
        length=next(run.folder.glob("events/000000000001/*")).stat().st_size,
    )
    assert reader.fetch_tensor_value(place) == 3
    place.length += 1
    with pytest.raises(SMDebugError):
        reader.fetch_tensor_value(place)
    place.event_file_name = "events/none"
    with pytest.raises(TensorUnavailableForStep):
        reader.fetch_tensor_value(place)
    place.event_file_name = "../secret"
    with pytest.raises(SMDebugError):
        reader.fetch_tensor_value(place)


def test_read_cache():
    cache = ReadIndexFilesCache()
    for number in range(1002):
        assert cache.has_not_read(f"{number:04}")
        cache.add(f"{number:04}", f"{number:04}")
    assert not cache.has_not_read("1001")
    assert cache.has_not_read("0000")  # Forgotten: there were too many.


def test_reductions_of_arrays():
    array = np.array([[1, -2], [3, 4]], np.float32)
    assert get_numpy_reduction("l1", array) == 6
    assert get_numpy_reduction("l2", array[:, ::-1]) == pytest.approx(np.linalg.norm(array, 2))
    assert get_numpy_reduction("mean", array.astype(">f4"), abs=True) == 2.5
    assert get_numpy_reduction("sum", [1, 2]) == 3
    assert get_numpy_reduction("mean", np.array([True, False])) == 0.5
    assert get_numpy_reduction("max", np.array(7.5)) == 7.5
    assert get_numpy_reduction("mean", np.array([1 + 2j])) == 1 + 2j
    assert get_numpy_reduction("l1", np.array([3 + 4j])) == 5
    with pytest.raises(SMDebugValueError):
        get_numpy_reduction("median", array)
    with pytest.raises(SMDebugTypeError):
        get_numpy_reduction("min", np.array(["a"]))


def test_names_of_reductions():
    name = get_reduction_tensor_name("a:0", "mean", True)
    assert name == "smdebug/reductions/abs_mean/a"
    assert reverse_reduction_tensor_name(name) == ("a", "mean", True)
    kept = get_reduction_tensor_name("a:0", "l1", False, remove_colon_index=False)
    assert kept == "smdebug/reductions/l1/a:0"
    with pytest.raises(SMDebugValueError):
        reverse_reduction_tensor_name("a")
    with pytest.raises(SMDebugValueError):
        get_reduction_tensor_name("a", "median", False)


def test_parsing_of_arguments():
    assert parse_list_from_str("a,b") == ["a", "b"]
    assert parse_list_from_str("a;b", delimiter=";") == ["a", "b"]
    assert parse_list_from_str(["x"]) == ["x"]
    assert parse_list_from_str(None) == parse_list_from_str("") == []
    assert parse_bool(None, True) is True
    assert parse_bool("False", True) is False
    assert parse_bool("true", False) is True
    assert parse_bool(True, False) is True
    with pytest.raises(ValueError, match="yes"):
        parse_bool("yes", True)
