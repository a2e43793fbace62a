estimator.update_profiler(
    system_monitor_interval_millis=500
)
