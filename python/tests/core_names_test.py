"""Names of `smdebug.core` and `smdebug.profiler` that existing programs import, and what those of
`smdebug.core` do."""

import importlib
import inspect
import json
import logging
import os
import pickle
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from smdebug.core import utils
from smdebug.core.access_layer import (
    check_dir_exists,
    is_rule_signalled_gracetime_passed,
)
from smdebug.core.access_layer.file import TSAccessFile, get_temp_path
from smdebug.core.access_layer.utils import has_training_ended, training_has_ended
from smdebug.core.config_validator import ConfigValidator, reset_config_validator
from smdebug.core.locations import (
    IndexFileLocationUtils,
    TensorboardFileLocation,
    TensorFileLocation,
    TensorLocation,
    TensorShape,
)
from smdebug.core.logger import DuplicateLogFilter, get_logger
from smdebug.core.modes import ModeKeys
from smdebug.core.sagemaker_utils import is_sagemaker_job
from smdebug.core.state_store import StateStore
from smdebug.exceptions import (
    IndexReaderException,
    SMDebugNotImplementedError,
    SMDebugTypeError,
    SMDebugValueError,
)

NAMES = {
    "smdebug.core.access_layer": "DEFAULT_GRACETIME_FOR_RULE_STOP_SEC "
    "ENV_RULE_STOP_SIGNAL_FILENAME check_dir_exists is_rule_signalled_gracetime_passed",
    "smdebug.core.access_layer.file": "SMDEBUG_TEMP_PATH_SUFFIX get_temp_path",
    "smdebug.core.access_layer.s3": "TSAccessS3",
    "smdebug.core.access_layer.s3handler": "DeleteRequest ListRequest S3Handler",
    "smdebug.core.access_layer.utils": "delete_s3_prefixes has_training_ended is_s3 "
    "training_has_ended",
    "smdebug.core.config_constants": "CONFIG_FILE_PATH_ENV_STR DEFAULT_COLLECTIONS_FILE_NAME "
    "DEFAULT_SAGEMAKER_METRICS_PATH DEFAULT_SAGEMAKER_OUTDIR DEFAULT_SAGEMAKER_TENSORBOARD_PATH "
    "DEFAULT_WORKER_NAME INCOMPLETE_STEP_WAIT_WINDOW_KEY LOG_DUPLICATION_THRESHOLD "
    "PAPERMILL_EXECUTION_ENV_VAR PROFILER_REPORT_VERSION PROFILER_TELEMETRY_URL "
    "TENSORBOARD_CONFIG_FILE_PATH_ENV_STR",
    "smdebug.core.config_validator": "ConfigValidator reset_config_validator",
    "smdebug.core.locations": "IndexFileLocationUtils TensorFileLocation",
    "smdebug.core.logger": "DuplicateLogFilter get_logger",
    "smdebug.core.s3_utils": "list_s3_objects",
    "smdebug.core.sagemaker_utils": "is_sagemaker_job",
    "smdebug.core.state_store": "StateStore",
    "smdebug.core.tfevent.timeline_file_writer": "TimelineFileWriter",
    "smdebug.core.utils": "FRAMEWORK SagemakerSimulator ScriptSimulator _prepare_telemetry_url "
    "deserialize_tf_device ensure_dir error_handling_agent get_aws_region_from_processing_job_arn "
    "get_logger get_path_to_collections get_worker_name_from_collection_file is_first_process "
    "is_framework_version_supported is_s3 make_numpy_array parse_worker_name_from_file "
    "remove_file_if_exists serialize_tf_device setup_profiler_report",
    "smdebug.profiler": "HorovodProfilerEvents LocalAlgorithmMetricsReader SMProfilerEvents "
    "TensorboardProfilerEvents",
    "smdebug.profiler.algorithm_metrics_reader": "LocalAlgorithmMetricsReader "
    "S3AlgorithmMetricsReader",
    "smdebug.profiler.analysis.python_profile_analysis": "PyinstrumentAnalysis cProfileAnalysis",
    "smdebug.profiler.analysis.utils.merge_timelines": "MergeUnit MergedTimeline",
    "smdebug.profiler.analysis.utils.pandas_data_analysis": "PandasFrameAnalysis Resource StatsBy",
    "smdebug.profiler.analysis.utils.profiler_data_to_pandas": "PandasFrame",
    "smdebug.profiler.hvd_trace_file_rotation": "HvdTraceFileRotation",
    "smdebug.profiler.profiler_config_parser": "MetricsCategory ProfilerConfigParser",
    "smdebug.profiler.profiler_constants": "CLOSE_FILE_INTERVAL_DEFAULT CONVERT_TO_MICROSECS "
    "CPROFILE_NAME CPROFILE_STATS_FILENAME DEFAULT_PREFIX FILE_OPEN_FAIL_THRESHOLD_DEFAULT "
    "HOROVODTIMELINE_SUFFIX MAX_FILE_SIZE_DEFAULT MERGEDTIMELINE_SUFFIX MODELTIMELINE_SUFFIX "
    "PROFILING_NUM_STEPS_DEFAULT PYINSTRUMENT_HTML_FILENAME PYINSTRUMENT_JSON_FILENAME "
    "PYINSTRUMENT_NAME PYTHONTIMELINE_SUFFIX TENSORBOARDTIMELINE_SUFFIX TRACE_DIRECTORY_FORMAT",
    "smdebug.profiler.python_profile_utils": "CPROFILE_NAME PYINSTRUMENT_NAME PythonProfileModes "
    "StepPhase",
    "smdebug.profiler.python_profiler": "CPROFILE_STATS_FILENAME PYINSTRUMENT_HTML_FILENAME "
    "PYINSTRUMENT_JSON_FILENAME PyinstrumentPythonProfiler cProfilePythonProfiler cProfileTimer",
    "smdebug.profiler.system_metrics_reader": "LocalSystemMetricsReader S3SystemMetricsReader",
    "smdebug.profiler.system_profiler_file_parser": "ProfilerSystemEvents",
    "smdebug.profiler.tf_profiler_parser": "SMProfilerEvents",
    "smdebug.profiler.utils": "TimeUnits get_node_id_from_system_profiler_filename "
    "get_node_id_from_tracefilename get_utctimestamp_us_since_epoch_from_system_profiler_file "
    "read_tf_profiler_metadata_file",
}
DEVICE = "/job:worker/replica:0/task:1/device:GPU:0"
DEVICE_FILE = "_job-worker_replica-0_task-1_device-GPU-0"
ARN = "arn:aws:sagemaker:us-west-2:123:processing-job/x"


@pytest.mark.parametrize(
    "module, name", [(module, name) for module, names in NAMES.items() for name in names.split()]
)
def test_every_name_is_there(module, name):
    assert getattr(importlib.import_module(module), name) is not None


def test_workers():
    assert utils.serialize_tf_device(DEVICE) == DEVICE_FILE
    assert utils.deserialize_tf_device(DEVICE_FILE) == DEVICE
    of_file = utils.parse_worker_name_from_file
    assert of_file("/a__b/index/000000000/000000000001_worker_0.json") == "worker_0"
    assert of_file(f"/a/events/000000000001/000000000001_{DEVICE_FILE}.tfevents") == DEVICE
    for name in ("junk", "/a/worker_0.json"):
        with pytest.raises(IndexReaderException, match=name):
            of_file(name)
    of_manifest = utils.get_worker_name_from_collection_file
    assert of_manifest("/a/collections/000000000/worker_0_collections.json") == "worker_0"
    assert of_manifest(f"collections/000000000/{DEVICE_FILE}_collections.ts") == DEVICE
    with pytest.raises(SMDebugValueError, match=r"'x\.json' is not a collections file"):
        of_manifest("x.json")
    assert utils.get_path_to_collections("s3://a/b/") == "s3://a/b/collections/000000000/"


def test_places_of_tensors(tmp_path):
    place = TensorFileLocation(123456, "worker_0")
    path = "/t/events/000000123456/000000123456_worker_0.tfevents"
    assert place.get_file_location("/t") == path
    assert TensorFileLocation(1, DEVICE).get_filename() == f"000000000001_{DEVICE_FILE}.tfevents"
    again = TensorFileLocation.load_filename(path)
    assert (again.step_num, again.worker_name, again.type) == (123456, "worker_0", "events")
    assert TensorFileLocation.match_regex("x") is None
    assert TensorFileLocation.load_filename("x") is None
    (tmp_path / "events/000000000002").mkdir(parents=True)
    assert TensorFileLocation.get_step_dirs(str(tmp_path)) == ["000000000002"]
    assert TensorFileLocation.get_step_dirs("/nowhere") == []
    assert TensorFileLocation.get_step_dir_path("/t", 3) == "/t/events/000000000003"
    board = TensorboardFileLocation(3, "1_host", ModeKeys.TRAIN)
    assert board.get_file_location("/b") == "/b/TRAIN/000000000003_1_host.tfevents"
    location = TensorLocation("t", ModeKeys.TRAIN, 3, "f", 0, 5, "worker_0")
    assert location.to_dict() == {"tensorname": "t", "start_idx": 0, "length": 5}
    shape = TensorShape("t", ModeKeys.TRAIN, 3, (1, 2)).to_dict()
    assert shape == {"tensorname": "t", "originalname": "t", "shape": (1, 2)}


def test_places_of_index_files():
    index = IndexFileLocationUtils
    path = "t/x/index/000000123/000000123456_worker_0.json"
    assert index.get_index_key_for_step("t/x", 123456, "worker_0") == path
    assert index.get_index_prefix_for_step(123456) == "000000123"
    assert index.next_index_prefix_for_step(123456) == "000000124"
    assert index.parse_step_from_index_file_name(path) == 123456
    assert index.get_step_from_idx_filename(path) == 123456
    assert index.get_prefix_from_index_file(path) == "t/x"
    assert index.get_prefix_from_index_file(path[len("t/x/") :]) == ""
    for call in (index.parse_step_from_index_file_name, index.get_prefix_from_index_file):
        with pytest.raises(IndexReaderException, match=r"x\.json"):
            call("x.json")


def test_files_appear_whole(tmp_path):
    path = tmp_path / "a/b.json"
    Path(tmp_path / "a").mkdir()
    Path(get_temp_path(str(path))).write_text("left by a killed process")
    with TSAccessFile(str(path), "a+") as file:
        assert file.write("abc") == (0, 3)
        assert file.write("de") == (3, 2)
        assert not path.exists()
    assert path.read_text() == "abcde"
    assert not Path(get_temp_path(str(path))).exists()
    file = TSAccessFile(str(path), "rb")
    file.ingest_all()
    assert (file.read(3), file.has_data(), file.read(9), file.has_data()) == (
        *(b"abc", True),
        *(b"de", False),
    )


def test_the_end_of_a_run(tmp_path, monkeypatch):
    run = str(tmp_path / "run")
    monkeypatch.setenv("TRAINING_JOB_NAME", "job")
    assert is_sagemaker_job()
    training_has_ended(run)
    assert not has_training_ended(run)
    monkeypatch.delenv("TRAINING_JOB_NAME")
    assert not check_dir_exists(run)
    training_has_ended(run)
    assert has_training_ended(run) and check_dir_exists(run)


def test_the_signal_to_stop(tmp_path, monkeypatch):
    run, signal = str(tmp_path), tmp_path / "stop"
    assert not is_rule_signalled_gracetime_passed(run)
    monkeypatch.setenv("SAGEMAKER_ENV_RULE_STOP_SIGNAL_FILE", "stop")
    assert not is_rule_signalled_gracetime_passed(run)
    signal.write_text(str(int(time.time()) - 30))
    assert not is_rule_signalled_gracetime_passed(run)
    for grace, passed in (("10", True), ("rubbish", False)):
        monkeypatch.setenv("rule_stop_grace_time_secs", grace)
        assert is_rule_signalled_gracetime_passed(run) is passed
    signal.write_text("no time")
    assert is_rule_signalled_gracetime_passed(run)


def test_claims(tmp_path):
    folder = tmp_path / "run"
    assert utils.is_first_process(str(folder))
    assert not utils.is_first_process(str(folder))
    (folder / "claim.smd").write_text(f"{2**22 + 1} {socket.gethostname()} 5 1")
    assert utils.is_first_process(str(folder))
    (folder / "claim.smd").write_text("")  # The original's, which names nobody.
    assert utils.is_first_process(str(folder))
    utils.remove_claim_file(str(folder))
    assert utils.is_first_process(str(folder))
    flag = tmp_path / "flags/one"
    assert utils.is_first_process(str(flag), is_dir=False)
    assert not utils.is_first_process(str(flag), is_dir=False)
    assert utils.is_first_process("s3://bucket/run")
    utils.remove_file_if_exists(str(flag))
    utils.remove_file_if_exists(str(flag))
    utils.ensure_dir(str(tmp_path / "x/y"), is_file=False)
    utils.ensure_dir("in_this_folder")
    assert (tmp_path / "x/y").is_dir()


def test_one_process_of_a_job_is_the_first(tmp_path):
    """Also if each starts when the one before has ended."""
    script = "import sys; from smdebug.core.utils import is_first_process as first; "
    script += "print(first(sys.argv[1]))"
    folder = str(tmp_path / "run")

    def starts(**variables):
        environment = {**os.environ, **variables}
        command = [sys.executable, "-c", script, folder]
        return subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True, timeout=300
        ).stdout.strip()

    assert [starts() for _ in range(3)] == ["True", "False", "False"]
    assert [starts(TRAINING_JOB_NAME="job") for _ in range(2)] == ["True", "False"]
    assert starts(TRAINING_JOB_NAME="another") == "True"


def test_arrays():
    assert utils.make_numpy_array(3).tolist() == [3]
    assert utils.make_numpy_array("abc").tolist() == ["abc"]
    assert utils.make_numpy_array((1, 2)).tolist() == [1, 2]
    array = np.ones(2)
    assert utils.make_numpy_array(array) is array
    with pytest.raises(SMDebugTypeError, match="NoneType"):
        utils.make_numpy_array(None)


def test_paths_in_s3():
    assert utils.is_s3("s3://b/k/x") == (True, "b", "k/x")
    assert utils.is_s3("s3://b") == (True, "b", "")
    assert utils.is_s3("/x") == (False, None, None)


def test_nothing_is_told_to_anybody(monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    utils.setup_profiler_report(ARN)
    assert utils.get_aws_region_from_processing_job_arn(ARN) == "us-west-2"
    assert utils._prepare_telemetry_url(ARN).endswith(f"x-arn={ARN}")
    with pytest.raises(SMDebugValueError, match="'x'"):
        utils.get_aws_region_from_processing_job_arn("x")


def test_frameworks(monkeypatch):
    reset_config_validator()
    with pytest.raises(SMDebugNotImplementedError, match="caffe"):
        utils.is_framework_version_supported("caffe")
    for version, supported in (("1.4.1", False), ("1.13.0a0", True), ("3.1", True)):
        module = type("Module", (), {"__version__": version})
        monkeypatch.setattr("tensorwarden.sagemaker.framework.import_module", lambda _, m=module: m)
        monkeypatch.setenv("USE_SMDEBUG", "true")
        reset_config_validator()
        assert utils.is_framework_version_supported(utils.FRAMEWORK.PYTORCH) is supported
        assert ConfigValidator(utils.FRAMEWORK.PYTORCH).validate_training_job() is supported
        assert os.environ["USE_SMDEBUG"] == ("true" if supported else "False")
    monkeypatch.setenv("USE_SMDEBUG", "0")
    assert not ConfigValidator(utils.FRAMEWORK.PYTORCH).validate_training_job()
    monkeypatch.undo()
    reset_config_validator()


def test_states_of_the_training(tmp_path, monkeypatch):
    monkeypatch.setenv("CHECKPOINT_CONFIG_FILE_PATH", str(tmp_path / "config.json"))
    store = StateStore()
    assert not store.is_checkpoint_updated()
    store.update_state({})
    assert store.get_last_saved_state() is None
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    (tmp_path / "config.json").write_text(json.dumps({"LocalPath": str(folder)}))
    store = StateStore()
    (folder / "model").write_text("x")
    (folder / "model.sagemaker-uploaded").write_text("x")
    assert store.is_checkpoint_updated()
    assert not store.is_checkpoint_updated()
    state = {"training-run": 0, "latest-global-step-saved": 2, "latest-global-step-seen": 2}
    state["latest-mode-step"] = {"GLOBAL": 2}
    store.update_state(state)
    store.update_state({**state, "latest-global-step-seen": 1})
    assert not store.is_checkpoint_updated()
    assert len(json.loads((folder / "metadata.json").read_text())) == 2
    assert StateStore().get_last_saved_state() == state
    (folder / "metadata.json").write_text("{")
    assert StateStore().get_last_saved_state() is None
    (tmp_path / "config.json").write_text("[]")
    assert not StateStore().is_checkpoint_updated()


def test_simulators(tmp_path, monkeypatch):
    for name in ("DEFAULT_SAGEMAKER_OUTDIR", "DEFAULT_SAGEMAKER_TENSORBOARD_PATH"):
        path = str(tmp_path / name)
        monkeypatch.setattr(f"tensorwarden.sagemaker.simulators.{name}", path)
    config = tmp_path / "config.json"
    job = utils.SagemakerSimulator(
        json_config_path=str(config),
        tensorboard_dir=str(tmp_path / "board"),
        json_file_contents='{"a": 1}',
    )
    monkeypatch.delenv("TRAINING_JOB_NAME", raising=False)
    with job as inside:
        assert inside is job
        assert is_sagemaker_job()
        assert os.environ["SMDEBUG_CONFIG_FILE_PATH"] == str(config)
        assert json.loads(config.read_text()) == {"a": 1}
        board = json.loads(Path(os.environ["TENSORBOARD_CONFIG_FILE_PATH"]).read_text())
        assert board == {"LocalPath": str(tmp_path / "board")}
    assert not is_sagemaker_job()
    assert not config.exists()
    monkeypatch.setenv("TRAINING_JOB_NAME", "job")
    (tmp_path / "out").mkdir()
    with utils.ScriptSimulator(out_dir=str(tmp_path / "out")):
        assert not is_sagemaker_job()
        assert not (tmp_path / "out").exists()
    assert is_sagemaker_job()


def test_the_logger(monkeypatch, tmp_path):
    once = DuplicateLogFilter()
    record = logging.LogRecord("a", logging.INFO, "p", 1, "m %d", (1,), None)
    assert [once.filter(record) for _ in range(5)] == [True] * 3 + [False] * 2
    monkeypatch.setenv("SMDEBUG_LOG_LEVEL", "error")
    monkeypatch.setenv("SMDEBUG_LOG_PATH", str(tmp_path / "log"))
    monkeypatch.setenv("SMDEBUG_LOG_CONTEXT", "100%")
    logger = get_logger("test-of-names")
    assert logger is get_logger("test-of-names")
    logger.info("unseen")
    logger.error("seen")
    text = (tmp_path / "log").read_text()
    assert "100% ERROR core_names_test.py" in text and text.endswith("seen\n")
    assert "unseen" not in text


def test_generated_modules_are_files_like_others():
    locations = importlib.import_module("smdebug.core.locations")
    assert "IndexFileLocationUtils" in inspect.getsource(locations)
    assert Path(inspect.getfile(locations)).name == "locations.py"
    assert importlib.import_module("smdebug.core").__path__
    subprocess.run([sys.executable, "-m", "smdebug.core.locations"], check=True)


def test_names_that_moved_are_the_same_objects():
    for name in ("collection.Collection", "save_config.SaveConfig", "modes.ModeKeys"):
        module, _, attribute = name.rpartition(".")
        own = getattr(importlib.import_module(f"tensorwarden.{module}"), attribute)
        assert getattr(importlib.import_module(f"smdebug.core.{module}"), attribute) is own
        assert pickle.loads(pickle.dumps(own)) is own
        # As an earlier version wrote it.
        assert pickle.loads(f"ctensorwarden.{module}\n{attribute}\n.".encode()) is own
