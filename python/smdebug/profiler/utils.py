"""File names and times."""

from tensorwarden.profiler.common.filenames import (
    get_node_id_from_system_profiler_filename,
    get_node_id_from_tracefilename,
    get_timestamp_from_tracefilename,
    get_utctimestamp_us_since_epoch_from_system_profiler_file,
    is_valid_tfprof_tracefilename,
    is_valid_tracefilename,
    read_tf_profiler_metadata_file,
    validate_system_profiler_file,
    write_tf_profiler_metadata_file,
)
from tensorwarden.profiler.common.units import (
    TimeUnits,
    convert_utc_datetime_to_microseconds,
    convert_utc_datetime_to_nanoseconds,
    convert_utc_timestamp_to_microseconds,
    convert_utc_timestamp_to_nanoseconds,
    convert_utc_timestamp_to_seconds,
    ns_since_epoch_to_human_readable_time,
    str2bool,
    us_since_epoch_to_human_readable_time,
)
from tensorwarden.profiler.recording.external_profilers import (
    start_smdataparallel_profiler,
    stop_smdataparallel_profiler,
    stop_tf_profiler,
)

__all__ = [
    "TimeUnits",
    "convert_utc_datetime_to_microseconds",
    "convert_utc_datetime_to_nanoseconds",
    "convert_utc_timestamp_to_microseconds",
    "convert_utc_timestamp_to_nanoseconds",
    "convert_utc_timestamp_to_seconds",
    "get_node_id_from_system_profiler_filename",
    "get_node_id_from_tracefilename",
    "get_timestamp_from_tracefilename",
    "get_utctimestamp_us_since_epoch_from_system_profiler_file",
    "is_valid_tfprof_tracefilename",
    "is_valid_tracefilename",
    "ns_since_epoch_to_human_readable_time",
    "read_tf_profiler_metadata_file",
    "start_smdataparallel_profiler",
    "stop_smdataparallel_profiler",
    "stop_tf_profiler",
    "str2bool",
    "us_since_epoch_to_human_readable_time",
    "validate_system_profiler_file",
    "write_tf_profiler_metadata_file",
]
