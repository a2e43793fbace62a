estimator.disable_profiling()
