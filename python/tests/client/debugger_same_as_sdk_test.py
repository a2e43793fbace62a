"""Requests are those of the SageMaker SDK, which is asked for them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict

import pytest

SCRIPT = Path(__file__).with_name("same_as_sdk.py")
ROOT = Path(__file__).resolve().parents[3]
SDK_PYTHON = os.environ.get(
    "WARDEN_SAGEMAKER_PYTHON", str(ROOT / "build/venv-sagemaker/bin/python")
)
TUTORIAL_NAMES = {
    "batch_size",
    "cpu_bottleneck",
    "dataloader",
    "gpu_memory_increase",
    "io_bottleneck",
    "load_balancing",
    "low_gpu_utilization",
    "max_initialization_time",
    "overall_framework_metrics",
    "overall_system_usage",
    "overallsystem_usage",
    "profiler_report",
    "step_outlier",
}
OURS_ALONE = TUTORIAL_NAMES | {
    "Dataloader",
    "DetailedProfilerProcessing",
    "OverallFrameworkMetrics",
    "collapsed_predictions",
    "constant_weights",
    "dead_units",
    "divergence",
    "evaluation_mode",
    "frozen_layer",
    "gradient_flow",
    "gradient_norm_spike",
    "gradients_not_cleared",
    "graphs_kept_alive",
    "half_precision_range",
    "input_scale",
    "loss_inputs",
    "loss_spike",
    "nan_origin",
    "not_learning",
    "optimizer_coverage",
    "outside_baseline",
    "overfitting",
    "replica_desync",
    "saturated_units",
    "slow_data_loader",
    "straggler_rank",
}


def requests_of(python: str, package: str) -> Dict[str, Any]:
    """What the script prints, less the SDK's own messages."""
    done = subprocess.run(
        [python, str(SCRIPT), package], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout[done.stdout.index('{"made"') :])


@pytest.fixture(scope="module")
def ours() -> Dict[str, Any]:
    return requests_of(sys.executable, "tensorwarden")


@pytest.fixture(scope="module")
def sdks() -> Dict[str, Any]:
    return requests_of(SDK_PYTHON, "sagemaker")


def test_requests_are_the_same(ours, sdks):
    assert len(sdks["made"]) > 25
    for name, request in sdks["made"].items():
        assert json.dumps(ours["made"][name]) == json.dumps(request), name


def test_all_rules_of_the_sdk_are_there(ours, sdks):
    assert len(sdks["rules"]) == 21 * 2 + 10
    for name, request in sdks["rules"].items():
        assert ours["rules"][name] == request, name
    more = {name.partition(" ")[0] for name in set(ours["rules"]) - set(sdks["rules"])}
    assert more == OURS_ALONE


def test_collections_are_the_same(ours, sdks):
    assert ours["collections"] == sdks["collections"]
