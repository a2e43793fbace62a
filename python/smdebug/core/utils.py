"""Various helper functions."""

from tensorwarden.base.log import get_logger
from tensorwarden.sagemaker.constants import (
    CLAIM_FILENAME,
    CONFIG_FILE_PATH_ENV_STR,
    DEFAULT_SAGEMAKER_OUTDIR,
    DEFAULT_SAGEMAKER_TENSORBOARD_PATH,
    PAPERMILL_EXECUTION_ENV_VAR,
    PROFILER_REPORT_VERSION,
    PROFILER_TELEMETRY_URL,
    TENSORBOARD_CONFIG_FILE_PATH_ENV_STR,
)
from tensorwarden.sagemaker.files import (
    ensure_dir,
    get_immediate_subdirectories,
    is_first_process,
    list_files_in_directory,
    remove_claim_file,
    remove_file_if_exists,
)
from tensorwarden.sagemaker.framework import FRAMEWORK, is_framework_version_supported
from tensorwarden.sagemaker.helpers import (
    _prepare_telemetry_url,
    flatten,
    get_aws_region_from_processing_job_arn,
    index,
    load_json_as_dict,
    make_numpy_array,
    match_inc,
    merge_two_dicts,
    setup_profiler_report,
    size_and_shape,
    split,
    step_in_range,
    validate_custom_tensor_value,
)
from tensorwarden.sagemaker.job import (
    check_smmodelparallel_training,
    get_distributed_worker,
    get_node_id,
    get_tb_worker,
)
from tensorwarden.sagemaker.s3 import get_region, is_s3
from tensorwarden.sagemaker.simulators import SagemakerSimulator, ScriptSimulator
from tensorwarden.sagemaker.workers import (
    deserialize_tf_device,
    get_path_to_collections,
    get_path_to_events_directory,
    get_relative_event_file_path,
    get_worker_name_from_collection_file,
    list_collection_files_in_directory,
    parse_worker_name_from_file,
    serialize_tf_device,
)

__all__ = [
    "CLAIM_FILENAME",
    "CONFIG_FILE_PATH_ENV_STR",
    "DEFAULT_SAGEMAKER_OUTDIR",
    "DEFAULT_SAGEMAKER_TENSORBOARD_PATH",
    "FRAMEWORK",
    "PAPERMILL_EXECUTION_ENV_VAR",
    "PROFILER_REPORT_VERSION",
    "PROFILER_TELEMETRY_URL",
    "SagemakerSimulator",
    "ScriptSimulator",
    "TENSORBOARD_CONFIG_FILE_PATH_ENV_STR",
    "_prepare_telemetry_url",
    "check_smmodelparallel_training",
    "deserialize_tf_device",
    "ensure_dir",
    "flatten",
    "get_aws_region_from_processing_job_arn",
    "get_distributed_worker",
    "get_immediate_subdirectories",
    "get_logger",
    "get_node_id",
    "get_path_to_collections",
    "get_path_to_events_directory",
    "get_region",
    "get_relative_event_file_path",
    "get_tb_worker",
    "get_worker_name_from_collection_file",
    "index",
    "is_first_process",
    "is_framework_version_supported",
    "is_s3",
    "list_collection_files_in_directory",
    "list_files_in_directory",
    "load_json_as_dict",
    "make_numpy_array",
    "match_inc",
    "merge_two_dicts",
    "parse_worker_name_from_file",
    "remove_claim_file",
    "remove_file_if_exists",
    "serialize_tf_device",
    "setup_profiler_report",
    "size_and_shape",
    "split",
    "step_in_range",
    "validate_custom_tensor_value",
]


def __getattr__(name: str) -> object:
    """Creates `error_handling_agent` on first use, because its module imports this one."""
    if name == "error_handling_agent":
        from smdebug.core.error_handling_agent import ErrorHandlingAgent

        return ErrorHandlingAgent.get_error_handling_agent()
    raise AttributeError(f"module 'smdebug.core.utils' has no attribute '{name}'")
