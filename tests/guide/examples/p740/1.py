from sagemaker.estimator import Estimator
estimator = Estimator(
    ...
    debugger_hook_config=hook_config,
    tensorboard_output_config=tensorboard_output_config
)
estimator.fit()
