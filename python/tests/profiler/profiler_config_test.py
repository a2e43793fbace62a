"""The configuration of the profiler, as it is read and as it changes."""

import json

import pytest

from smdebug.core.config_validator import ConfigValidator, reset_config_validator
from smdebug.core.modes import ModeKeys
from smdebug.core.utils import FRAMEWORK
from smdebug.profiler.profiler_config_parser import (
    MetricsCategory,
    ProfilerConfigParser,
    get_profiler_config_parser,
    reset_profiler_config_parser,
)
from smdebug.profiler.profiler_constants import (
    BASE_FOLDER_DEFAULT,
    CLOSE_FILE_INTERVAL_DEFAULT,
    FILE_OPEN_FAIL_THRESHOLD_DEFAULT,
    MAX_FILE_SIZE_DEFAULT,
    TF_DATALOADER_START_FLAG_FILENAME,
)
from smdebug.profiler.python_profile_utils import cProfileTimer

PYTHON_PART = {"StartStep": "9", "NumSteps": 3, "cProfileTimer": "Default"}
DETAILED = MetricsCategory.DETAILED_PROFILING
LOADER = MetricsCategory.DATALOADER_PROFILING
PYTHON = MetricsCategory.PYTHON_PROFILING


def detailed(configure, part):
    return configure({"ProfilingParameters": {"DetailedProfilingConfig": part}})


def steps(parser, category=DETAILED, upto=12):
    return [step for step in range(upto) if parser.should_save_metrics(category, step)]


def test_everything_at_once(configure):
    parser = configure(
        {
            "ProfilingParameters": {
                "LocalPath": "/Data/Job",
                "RotateMaxFileSizeInBytes": "1e3",
                "RotateFileCloseIntervalInSeconds": "0.5",
                "FileOpenFailThreshold": 3,
                "DetailedProfilingConfig": '{"StartStep": 5, "NumSteps": 1, }',
                "DataloaderProfilingConfig": '{"StartStep": 7, "MetricsRegex": "Data.*"}',
                "PythonProfilingConfig": {
                    "StartStep": "9",
                    "NumSteps": 3,
                    "cProfileTimer": "default",
                },
                "HorovodProfilingConfig": "ignored",
            }
        }
    )
    assert parser.profiling_enabled
    # The case of values is kept, that of keys and of metrics' names does not matter.
    assert parser.config.local_path == "/Data/Job"
    assert parser.config.trace_file.rotation_policy.file_max_size == 1000
    assert parser.config.trace_file.rotation_policy.file_close_interval == 0.5
    assert parser.config.trace_file.file_open_fail_threshold == 3
    assert (steps(parser), steps(parser, LOADER), steps(parser, PYTHON)) == ([5], [7], [9, 10, 11])
    assert steps(parser, MetricsCategory.SMDATAPARALLEL_PROFILING) == []
    assert parser.should_save_metrics(LOADER, 7, "dataloaderIter")
    assert not parser.should_save_metrics(LOADER, 7, "other")
    assert parser.config.python_profiling_config.cprofile_timer is cProfileTimer.DEFAULT


@pytest.mark.parametrize(
    "part, active",
    [
        ({"StartStep": 0}, [0]),
        ({"StartStep": 0, "NumSteps": 2}, [0, 1]),
        ({"NumSteps": 2}, [0, 1]),
        ({"StartStep": 3}, [3]),
        ("{'StartStep': 3, 'NumSteps': 2,}", [3, 4]),
        ('{"startstep": 3, "x": null, "y": true}', [3]),
        ({}, []),
        ("{}", []),
        ({"StartStep": "three"}, []),
        ({"StartStep": 3, "DurationInSeconds": 5}, []),
        ("[1]", []),
        ("__import__('os').getcwd()", []),
        ("{broken", []),
        (7, []),
        ({"MetricsRegex": ".*"}, []),
    ],
)
def test_ranges_of_steps(configure, part, active):
    assert steps(detailed(configure, part)) == active


@pytest.mark.parametrize("key", ["DurationInSeconds", "Duration"])
def test_ranges_of_time(configure, key):
    parser = detailed(configure, {"StartTimeInSecSinceEpoch": 100, key: "10"})
    asked = {at: parser.should_save_metrics(DETAILED, 0, current_time=at) for at in (99, 100, 109)}
    assert asked == {99: False, 100: True, 109: True}
    assert not parser.should_save_metrics(DETAILED, 0, current_time=110)


def test_a_start_without_an_end_is_for_one_step(configure):
    parser = detailed(configure, {"StartTimeInSecSinceEpoch": 100})
    at = [(3, 99), (4, 101), (4, 102), (5, 103)]
    found = [parser.should_save_metrics(DETAILED, step, current_time=time) for step, time in at]
    assert found == [False, True, True, False]


@pytest.mark.parametrize(
    "part",
    [
        {"StartStep": 1, "ProfilerName": "gprof"},
        {"StartStep": 1, "cProfileTimer": "sundial"},
    ],
)
def test_wrong_names_switch_python_profiling_off(configure, part):
    parser = configure({"ProfilingParameters": {"PythonProfilingConfig": part}})
    assert parser.profiling_enabled
    assert not parser.is_python_profiling_enabled()
    value = next(v for k, v in part.items() if k != "StartStep")
    assert value in parser.config.python_profiling_config.error_message
    assert parser.config.python_profiling_config.profiler_name is None, "as in the original"


def test_a_range_of_no_steps(configure):
    assert steps(detailed(configure, {"StartStep": 5, "NumSteps": "0"})) == []
    assert steps(detailed(configure, {"StartStep": "5", "NumSteps": "2"})) == [5, 6]


@pytest.mark.parametrize(
    "part, active",
    [
        ({"NumSteps": 2, "EverySteps": 5}, [2, 3, 7, 8, 12, 13]),
        ({"StartStep": 0, "NumSteps": 1, "EverySteps": 6}, [0, 6, 12]),
        ({"StartStep": 3, "NumSteps": 2}, [3, 4]),
        ({"NumSteps": 5, "EverySteps": 5}, []),
        ({"NumSteps": 0, "EverySteps": 5}, []),
        ({"NumSteps": 2, "EverySteps": "often"}, []),
        ({}, []),
    ],
)
def test_kernels_of_some_steps_again_and_again(configure, part, active):
    parser = configure({"ProfilingParameters": {"KernelProfilingConfig": part}})
    assert steps(parser, MetricsCategory.KERNEL_PROFILING, upto=15) == active


def test_a_wrong_pattern_switches_data_loaders_off(configure):
    part = {"StartStep": 1, "MetricsRegex": "("}
    parser = configure({"ProfilingParameters": {"DataloaderProfilingConfig": part}})
    assert steps(parser, LOADER) == []
    assert "MetricsRegex is '('" in parser.config.dataloader_profiling_config.error_message


def test_wrong_limits_are_the_defaults(configure):
    parser = configure({"ProfilingParameters": {"LocalPath": "/x", "FileOpenFailThreshold": "a"}})
    policy = parser.config.trace_file.rotation_policy
    assert parser.config.local_path == BASE_FOLDER_DEFAULT
    assert policy.file_max_size == MAX_FILE_SIZE_DEFAULT
    assert policy.file_close_interval == CLOSE_FILE_INTERVAL_DEFAULT
    assert parser.config.trace_file.file_open_fail_threshold == FILE_OPEN_FAIL_THRESHOLD_DEFAULT


@pytest.mark.parametrize(
    "document, on",
    [
        ({"ProfilingParameters": {}}, False),
        ({}, False),
        ([], False),
        ("{broken", False),
        ({"DisableProfiler": True, "ProfilingParameters": {"LocalPath": "/x"}}, False),
        ({"DisableProfiler": "true", "ProfilingParameters": {"LocalPath": "/x"}}, False),
        ({"disableprofiler": "False", "profilingparameters": {"LOCALPATH": "/x"}}, True),
        ({"DisableProfiler": False, "ProfilingParameters": {"LocalPath": "/x"}}, True),
    ],
)
def test_on_and_off(configure, document, on):
    parser = configure(document)
    assert parser.profiling_enabled is on
    assert parser.should_save_metrics(DETAILED, 0) is False


def test_the_same_document_switches_on_again(configure):
    parser = detailed(configure, {"NumSteps": 2})
    assert steps(parser) == [0, 1]
    text = configure.path.read_text()
    parser.load_config()
    # Unchanged: the range that has begun goes on.
    assert steps(parser) == [0, 1]
    for away in (configure.path.unlink, lambda: configure.path.write_text("{")):
        away()
        parser.load_config()
        assert not parser.profiling_enabled
        configure.path.write_text(text)
        parser.load_config()
        assert parser.profiling_enabled
        assert parser.should_save_metrics(DETAILED, 8)


def test_a_change_of_something_else_records_no_step_again(configure):
    def change(**parts):
        configure.path.write_text(json.dumps({"ProfilingParameters": parts}))
        parser.load_config()

    part = '{"NumSteps": 2, "RequestedAt": 1}'
    parser = detailed(configure, part)
    assert steps(parser) == [0, 1]
    change(DetailedProfilingConfig=part, LocalPath="/elsewhere")
    assert parser.config.local_path == "/elsewhere"
    assert steps(parser) == [0, 1]
    # Asked for again.
    change(DetailedProfilingConfig='{"NumSteps": 2, "RequestedAt": 2}')
    assert parser.should_save_metrics(DETAILED, 7)
    assert steps(parser) == [7, 8]
    change(LocalPath="/elsewhere")
    assert steps(parser) == []
    change(DetailedProfilingConfig='{"NumSteps": 2, "RequestedAt": 2}')
    assert parser.should_save_metrics(DETAILED, 9)


def test_python_profiling_can_begin_late_and_change(configure, tmp_path):
    parser = configure({"ProfilingParameters": {"LocalPath": str(tmp_path / "a")}})
    assert parser.python_profiler is None
    parser.handle_step_start_python_profiling(ModeKeys.TRAIN, 0)
    for folder in ("a", "b"):
        part = {"StartStep": 1, "NumSteps": 9}
        parameters = {"LocalPath": str(tmp_path / folder), "PythonProfilingConfig": part}
        configure.path.write_text(json.dumps({"ProfilingParameters": parameters}))
        parser.load_config()
        parser.handle_step_start_python_profiling(ModeKeys.TRAIN, 2)
        parser.handle_step_end_python_profiling(ModeKeys.TRAIN, 2)
    parser.handle_step_start_python_profiling(ModeKeys.TRAIN, 50)
    assert len(list(tmp_path.glob("a/**/python_stats"))) == 2
    assert len(list(tmp_path.glob("b/**/python_stats"))) == 2


def test_tensorflow_flags(configure, tmp_path):
    part = {"StartStep": 1}
    parameters = {"LocalPath": str(tmp_path), "DataloaderProfilingConfig": part}
    parser = configure({"ProfilingParameters": parameters})
    assert parser.write_tf_dataloader_flag(TF_DATALOADER_START_FLAG_FILENAME)
    assert not parser.write_tf_dataloader_flag(TF_DATALOADER_START_FLAG_FILENAME)
    assert len(list(tmp_path.glob(f"*/{TF_DATALOADER_START_FLAG_FILENAME}"))) == 1


def test_one_parser_for_each_process(configure):
    configure({})
    reset_profiler_config_parser()
    parser = get_profiler_config_parser(FRAMEWORK.PYTORCH)
    assert parser is get_profiler_config_parser(FRAMEWORK.PYTORCH)
    assert isinstance(parser, ProfilerConfigParser)
    reset_profiler_config_parser()


@pytest.mark.parametrize(
    "parameters, off",
    [({"partitions": 2}, True), ({"pipeline_parallel_degree": 2}, True), ({}, False)],
)
def test_model_parallelism_excludes_detailed_profiling(configure, monkeypatch, parameters, off):
    monkeypatch.setenv("SM_HPS", json.dumps({"mp_parameters": parameters}))
    reset_config_validator()
    parser = detailed(configure, {"StartStep": 1})
    ConfigValidator.validate_profiler_config(parser)
    assert steps(parser) == ([] if off else [1])
    monkeypatch.undo()
    reset_config_validator()
