"""The names that existing code imports, and that importing them is cheap."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

NAMES = {
    "smdebug": "SaveConfig SaveConfigMode modes ReductionConfig CollectionKeys __version__",
    "smdebug.analysis.utils": "no_refresh refresh parse_list_from_str parse_bool",
    "smdebug.core.collection": "Collection CollectionKeys",
    "smdebug.core.collection_manager": "CollectionManager",
    "smdebug.core.index_reader": "ReadIndexFilesCache S3IndexReader LocalIndexReader IndexReader",
    "smdebug.core.modes": "ModeKeys ALLOWED_MODES ALLOWED_MODE_NAMES str_to_mode_keys",
    "smdebug.core.reader": "FileReader",
    "smdebug.core.reduction_config": "ReductionConfig",
    "smdebug.core.reductions": "get_numpy_reduction REDUCTIONS_PREFIX",
    "smdebug.core.save_config": "SaveConfig SaveConfigMode",
    "smdebug.core.tensor": "StepState Tensor",
    "smdebug.exceptions": "IndexReaderException NoMoreData SMDebugRuntimeError StepUnavailable",
    "smdebug.rules": "Rule RequiredTensors invoke_rule",
    "smdebug.rules.action.action": "Actions",
    "smdebug.rules.action.message_action": "MessageAction",
    "smdebug.rules.action.stop_training_action": "StopTrainingAction",
    "smdebug.rules.req_tensors": "RequiredTensors",
    "smdebug.rules.required_tensors": "RequiredTensors",
    "smdebug.rules.rule": "Rule",
    "smdebug.rules.rule_invoker": "invoke_rule",
    "smdebug.trials": "LocalTrial S3Trial Trial create_trial",
    "smdebug.trials.local_trial": "LocalTrial",
    "smdebug.trials.s3_trial": "S3Trial",
    "smdebug.trials.trial": "Trial",
    "smdebug.trials.utils": "create_trial",
}


@pytest.mark.parametrize("module", NAMES)
def test_names(module):
    loaded = importlib.import_module(module)
    for name in NAMES[module].split():
        assert hasattr(loaded, name), name
    for name in getattr(loaded, "__all__", []):
        assert hasattr(loaded, name), name


def test_modes_and_version():
    smdebug = importlib.import_module("smdebug")
    assert smdebug.__version__ == "1.0.34"
    assert [mode.name for mode in smdebug.modes] == ["TRAIN", "EVAL", "PREDICT", "GLOBAL"]
    assert importlib.import_module("smdebug.core.modes").str_to_mode_keys("EVAL").value == 2


def test_importing_is_cheap():
    # Processor time: other programs must not count.
    code = (
        "import sys, time; start = time.process_time()\n"
        "import smdebug.trials, smdebug.rules\n"
        "heavy = {'torch', 'numpy', 'pandas', 'boto3', 'tensorflow'} & set(sys.modules)\n"
        "print(time.process_time() - start, heavy or '')"
    )

    def seconds() -> float:
        took, heavy = subprocess.check_output([sys.executable, "-c", code], text=True).split(" ", 1)
        assert not heavy.strip()
        return float(took)

    assert any(seconds() < 0.2 for _ in range(10))
