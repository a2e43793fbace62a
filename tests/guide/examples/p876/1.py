import time
from sagemaker.debugger import (ProfilerConfig,
    FrameworkProfile,
    DetailedProfilingConfig,
    DataloaderProfilingConfig,
    PythonProfilingConfig,
    PythonProfiler, cProfileTimer)
profiler_config=ProfilerConfig(
    system_monitor_interval_millis=500,
    framework_profile_params=FrameworkProfile(
        detailed_profiling_config=DetailedProfilingConfig(
            start_step=5,
            num_steps=1
        ),
        dataloader_profiling_config=DataloaderProfilingConfig(
            start_step=7,
            num_steps=1
        ),
        python_profiling_config=PythonProfilingConfig(
            start_step=9,
            num_steps=1,
            python_profiler=PythonProfiler.CPROFILE,
            cprofile_timer=cProfileTimer.TOTAL_TIME
        )
    )
)
