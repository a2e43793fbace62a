"""See `tensorwarden.json_config`."""

from tensorwarden.config.json_config import (
    CONFIG_FILE_PATH_ENV_STR,
    DEFAULT_SAGEMAKER_OUTDIR,
    add_collections_to_manager,
    collect_hook_config_params,
    get_include_collections,
    get_json_config_as_dict,
)

__all__ = [
    "CONFIG_FILE_PATH_ENV_STR",
    "DEFAULT_SAGEMAKER_OUTDIR",
    "add_collections_to_manager",
    "collect_hook_config_params",
    "get_include_collections",
    "get_json_config_as_dict",
]
