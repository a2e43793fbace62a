import sagemaker
from sagemaker.pytorch import PyTorch
estimator = PyTorch(
    framework_version="2.0.0",
    role=sagemaker.get_execution_role(),
    entry_point="train_with_profiler_demo.py",
    source_dir=source_dir,
    output_path=output_path,
    base_job_name="sagemaker-profiler-demo",
    hyperparameters=hyperparameters,
    instance_count=1,
    instance_type=ml.p4d.24xlarge,
    profiler_config=profiler_config
)
