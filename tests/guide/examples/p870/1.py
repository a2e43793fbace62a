from sagemaker.debugger import ProfilerConfig
profiler_config=ProfilerConfig(
    system_monitor_interval_millis=1000
)
