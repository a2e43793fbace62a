from sagemaker.debugger import ProfilerConfig, FrameworkProfile
profiler_config = ProfilerConfig(
    system_monitor_interval_millis=500,
    framework_profile_params=FrameworkProfile(
        start_step=5,
        num_steps=10,
        local_path='/opt/ml/output/profiler'
    )
)
profiling_rules = [
    Rule.sagemaker(
        rule_configs.low_gpu_utilization(),
        rule_parameters={
            'threshold': 70,
            'patience': 5
        }
    ),
    Rule.sagemaker(rule_configs.cpu_bottleneck()),
    Rule.sagemaker(rule_configs.io_bottleneck()),
    Rule.sagemaker(rule_configs.overallsystem_usage())
]
profiled_estimator = PyTorch(
    entry_point='train.py',
    source_dir='./scripts',
    role=role,
    instance_count=1,
    instance_type='ml.p3.2xlarge',
    framework_version='2.0',
    py_version='py310',
    profiler_config=profiler_config,
    rules=profiling_rules,
    hyperparameters={
        'epochs': 50,
        'batch_size': 64,
        'learning_rate': 0.001
    }
)
