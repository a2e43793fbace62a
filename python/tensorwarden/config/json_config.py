"""Parses hook configuration files for scripts that read them directly.

Hooks do not use this module: the core reads their files.
"""

import json
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from tensorwarden import _core
from tensorwarden.base.exceptions import SMDebugTypeError, SMDebugValueError
from tensorwarden.base.modes import ModeKeys
from tensorwarden.config.collection_manager import CollectionManager
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig

CONFIG_FILE_PATH_ENV_STR = "SMDEBUG_CONFIG_FILE_PATH"
DEFAULT_CONFIG_FILE_PATH = "/opt/ml/input/config/debughookconfig.json"
DEFAULT_SAGEMAKER_OUTDIR = "/opt/ml/output/tensors"


def get_json_config_as_dict(json_config_path: Optional[str]) -> Dict[str, Any]:
    """Reads a configuration file.

    The path is `json_config_path`, else $SMDEBUG_CONFIG_FILE_PATH, else the SageMaker default.
    Raises FileNotFoundError if the file does not exist.
    """
    default = os.getenv(CONFIG_FILE_PATH_ENV_STR, DEFAULT_CONFIG_FILE_PATH)
    return json.loads(Path(json_config_path or default).read_text())


def collect_hook_config_params(params_dict: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the hook's own settings from a configuration."""
    config = _parse(params_dict)
    given = params_dict.get("HookParameters") or {}
    params = {
        "out_dir": config["out_dir"],
        "reduction_config": None,
        "reduction_configs": {},
        "save_configs": {},
        "save_config_modes": {ModeKeys[m]: s for m, s in config["save_config"].items()},
        "include_regex": config["include_regex"] or None,
        "export_tensorboard": config["export_tensorboard"],
        "tensorboard_dir": config["tensorboard_dir"] or None,
        "dry_run": config["dry_run"],
    }
    if "reductions" in given:
        params["reduction_config"] = ReductionConfig.from_dict(config["reduction_config"])
    for key in ("save_all", "include_workers"):
        if key in given:
            params[key] = config["save_all"] if key == "save_all" else given[key]
    return params


def get_include_collections(params_dict: Mapping[str, Any]) -> Optional[List[str]]:
    """Returns the names of the listed collections; None if the configuration lists none."""
    if params_dict.get("CollectionConfigurations") is None:
        return None
    return _parse(params_dict)["include_collections"]


def add_collections_to_manager(
    collection_manager: CollectionManager,
    params_dict: Mapping[str, Any],
    hook_params: Mapping[str, Any],
) -> None:
    """Configures the listed collections, creating missing ones."""
    listed = {c["name"]: c for c in _parse(params_dict)["collections"]}
    for entry in params_dict.get("CollectionConfigurations") or ():
        name = entry["CollectionName"]
        given = entry.get("CollectionParameters") or {}
        parsed, collection = listed[name], collection_manager.get(name)
        modes = parsed["save_config"] or {
            mode.name: settings for mode, settings in hook_params["save_config_modes"].items()
        }
        collection.save_config = SaveConfig.from_dict(modes)
        if "reductions" in given:
            collection.reduction_config = ReductionConfig.from_dict(parsed["reduction_config"])
        for pattern in parsed["include_regex"]:
            if pattern not in collection.include_regex:
                collection.include(pattern)
        collection.save_histogram = parsed["save_histogram"]


def configuration_error(error: Exception) -> Exception:
    """Returns the exception for a configuration that the core rejected."""
    code, message = error.args
    if code == "NotFound":
        return FileNotFoundError(message)
    return SMDebugTypeError(message) if code == "InvalidType" else SMDebugValueError(message)


def _parse(params_dict: Mapping[str, Any]) -> Dict[str, Any]:
    try:
        return json.loads(_core.parse_hook_config(json.dumps(params_dict), "plain"))
    except _core.StatusError as error:
        raise configuration_error(error) from None
