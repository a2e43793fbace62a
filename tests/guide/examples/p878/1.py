estimator=Estimator(
    ...
    disable_profiler=True
    debugger_hook_config=False
)
