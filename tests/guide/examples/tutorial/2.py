from sagemaker.pytorch import PyTorch
debugger_hook_config = DebuggerHookConfig(
    s3_output_path=f's3://{bucket}/debugger-output',
    collection_configs=[
        CollectionConfig(
            name='losses',
            parameters={
                'save_interval': '10'
            }
        ),
        CollectionConfig(
            name='weights',
            parameters={
                'save_interval': '100'
            }
        ),
        CollectionConfig(
            name='gradients',
            parameters={
                'save_interval': '100'
            }
        )
    ]
)
estimator = PyTorch(
    entry_point='train.py',
    source_dir='./scripts',
    role=role,
    instance_count=1,
    instance_type='ml.p3.2xlarge',
    framework_version='2.0',
    py_version='py310',
    debugger_hook_config=debugger_hook_config,
    rules=rules,
    hyperparameters={
        'epochs': 50,
        'batch_size': 64,
        'learning_rate': 0.001
    }
)
estimator.fit({
    'train': f's3://{bucket}/data/train',
    'validation': f's3://{bucket}/data/validation'
})
