"""Prints requests made by the configuration classes of whichever package is named, as JSON."""

import importlib
import inspect
import json
import sys

package = sys.argv[1]
debugger = importlib.import_module(f"{package}.debugger")
configs = debugger.rule_configs


def request_of(thing):
    for method in (
        "to_debugger_rule_config_dict",
        "to_profiler_rule_config_dict",
        "_to_request_dict",
    ):
        if hasattr(thing, method):
            return getattr(thing, method)()
    return thing


def rule_with(actions, name="my-job-2026"):
    rule = debugger.Rule.sagemaker(configs.overfit(), actions=actions)
    rule.prepare_actions(name)
    return rule


def hook():
    return debugger.DebuggerHookConfig(
        s3_output_path="s3://b/p",
        container_local_output_path="/opt/x",
        hook_parameters={"save_interval": "10"},
        collection_configs=[
            debugger.CollectionConfig("losses"),
            debugger.CollectionConfig("mine", {"include_regex": "relu.*", "save_steps": "1,2"}),
        ],
    )


def made():
    d, c = debugger, configs
    profile = d.FrameworkProfile
    yield "hook", hook()
    yield "bare hook", d.DebuggerHookConfig()
    yield "tensorboard", d.TensorBoardOutputConfig("s3://b", "/opt/tb")
    yield "collection", d.CollectionConfig("x", {})
    yield "profiler", d.ProfilerConfig()
    yield "disabled", d.ProfilerConfig("s3://b", disable_profiler=True)
    yield "interval", d.ProfilerConfig("s3://b", 1000)
    yield "profile params", d.ProfilerConfig(profile_params=d.Profiler("60"))
    ranges = {
        "default": {},
        "steps": {"start_step": 5, "num_steps": 10},
        "one step": {"start_step": 0},
        "number": {"num_steps": 3},
        "time": {"start_unix_time": 1700000000, "duration": 60},
        "seconds": {"duration": 2.5},
        "files": {"local_path": "/x", "file_max_size": 1, "file_close_interval": 2.5},
        "mine": {
            "detailed_profiling_config": d.DetailedProfilingConfig(),
            "dataloader_profiling_config": d.DataloaderProfilingConfig(
                num_steps=2, metrics_regex="a.*b"
            ),
            "python_profiling_config": d.PythonProfilingConfig(
                start_step=1, python_profiler=d.PythonProfiler.PYINSTRUMENT
            ),
            "start_step": 99,
        },
        "python": {
            "python_profiling_config": d.PythonProfilingConfig(
                profile_default_steps=True, cprofile_timer=d.cProfileTimer.CPU_TIME
            ),
            "horovod_profiling_config": d.HorovodProfilingConfig(start_unix_time=17),
            "smdataparallel_profiling_config": d.SMDataParallelProfilingConfig(start_step=3),
        },
        "timer": {
            "python_profiling_config": d.PythonProfilingConfig(
                cprofile_timer=d.cProfileTimer.OFF_CPU_TIME
            )
        },
    }
    for name, settings in ranges.items():
        params = profile(**settings)
        yield f"profile {name}", d.ProfilerConfig(framework_profile_params=params)
    yield "stop", rule_with(c.StopTraining())
    yield "stop other", rule_with(c.StopTraining("other-job"))
    yield (
        "list",
        rule_with(c.ActionList(c.StopTraining(), c.Email("abc@abc.com"), c.SMS("+1234567890"))),
    )
    yield "no actions", rule_with(None)
    yield (
        "built-in",
        d.Rule.sagemaker(
            c.loss_not_decreasing(),
            name="mine",
            container_local_output_path="/opt/r",
            s3_output_path="s3://b/r",
            other_trials_s3_input_paths=["s3://a", "s3://b"],
            rule_parameters={"num_steps": "5"},
            collections_to_save=[d.CollectionConfig("losses", {"save_interval": "1"})],
        ),
    )
    place = {"source": "s3://b/r.py", "rule_to_invoke": "Mine", "s3_output_path": "s3://o"}
    yield (
        "own",
        d.Rule.custom(
            "r",
            "image",
            "ml.t3.medium",
            30,
            other_trials_s3_input_paths=["s3://x"],
            rule_parameters={"threshold": "2"},
            **place,
        ),
    )
    yield (
        "own profiler",
        d.ProfilerRule.custom(
            "r", "image", "ml.t3.medium", 30, rule_parameters={"a": 1.5, "b": None}, **place
        ),
    )
    yield "built-in profiler", d.ProfilerRule.sagemaker(c.StepOutlier(4, "TRAIN"), name="s")
    report = c.ProfilerReport(CPUBottleneck_cpu_threshold=90, batchsize_window=7)
    yield (
        "report",
        d.ProfilerRule.sagemaker(report, instance_type="ml.r5.4xlarge", volume_size_in_gb=40),
    )


def built_in():
    """Every rule that the package knows, with its collections."""
    for name in dir(configs):
        thing = getattr(configs, name)
        if _is_profiler_rule(thing):
            yield name, debugger.ProfilerRule.sagemaker(thing())
        elif inspect.isfunction(thing) and not inspect.signature(thing).parameters:
            rule = debugger.Rule.sagemaker(thing())
            yield name, rule
            yield f"{name} collections", [request_of(each) for each in rule.collection_configs]


def _is_profiler_rule(thing):
    return inspect.isclass(thing) and any(
        base.__name__ in ("ProfilerRuleBase", "ProfilerRuleConfig") for base in thing.__mro__[1:]
    )


result = {
    "made": {name: request_of(thing) for name, thing in made()},
    "rules": {name: request_of(thing) for name, thing in built_in()},
    "collections": {
        name: configs.get_collection(name) for name in ("weights", "input_image", "nothing")
    },
}
json.dump(result, sys.stdout)
