"""File names, defaults and limits, with the names that scripts import."""

import math

CONFIG_PATH_DEFAULT = "/opt/ml/input/config/profilerconfig.json"
BASE_FOLDER_DEFAULT = "/opt/ml/output/profiler"

CONVERT_TO_MICROSECS = 1_000_000
CONVERT_MICRO_TO_NS = 1_000

DEFAULT_PREFIX = "framework/pevents"
DEFAULT_SYSTEM_PROFILER_PREFIX = "system"
TRACE_DIRECTORY_FORMAT = "%Y%m%d%H"
PYTHONTIMELINE_SUFFIX = "pythontimeline.json"
MODELTIMELINE_SUFFIX = "model_timeline.json"
HOROVODTIMELINE_SUFFIX = "horovod_timeline.json"
SMDATAPARALLELTIMELINE_SUFFIX = "smdataparallel_timeline.json"
TENSORBOARDTIMELINE_SUFFIX = "trace.json.gz"
MERGEDTIMELINE_SUFFIX = "merged_timeline.json"

MAX_FILE_SIZE_DEFAULT = 10_485_760
CLOSE_FILE_INTERVAL_DEFAULT = 60
FILE_OPEN_FAIL_THRESHOLD_DEFAULT = 50

PROFILING_NUM_STEPS_DEFAULT = 1
PROFILER_DURATION_DEFAULT = math.inf
PYTHON_PROFILING_START_STEP_DEFAULT = 9

CPROFILE_NAME = "cprofile"
CPROFILE_STATS_FILENAME = "python_stats"
PYINSTRUMENT_NAME = "pyinstrument"
PYINSTRUMENT_JSON_FILENAME = "python_stats.json"
PYINSTRUMENT_HTML_FILENAME = "python_stats.html"

TF_METRICS_PREFIX = "aws_marker-"
TF_DATALOADER_ITER = "DataIterator"
TF_DATALOADER_START_FLAG_FILENAME = "tf_dataloader_start_flag.tmp"
TF_DATALOADER_END_FLAG_FILENAME = "tf_dataloader_end_flag.tmp"
PT_DATALOADER_ITER = "DataLoaderIter"
PT_DATALOADER_INITIALIZE = "DataLoaderIterInitialize"
PT_DATALOADER_WORKER = "DataLoaderWorker"

# How far before and after a query files are opened, and how far S3 listings lag behind.
ENV_TIME_BUFFER = "TIME_BUFFER_MICROSECONDS"
TIME_BUFFER_DEFAULT = 180_000_000
ENV_TRAIILING_DURATION = "TRAILING_DURATION_MICROSECONDS"
TRAILING_DURATION_DEFAULT = 300_000_000
