estimator.enable_remote_debug()
estimator.disable_remote_debug()
