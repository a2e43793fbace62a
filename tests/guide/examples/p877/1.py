estimator.enable_default_profiling()
