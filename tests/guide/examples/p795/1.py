from sagemaker.tensorflow import TensorFlow
estimator = TensorFlow(
    role=sagemaker.get_execution_role(),
    base_job_name='smdebug-custom-rule-demo-tf-keras',
    entry_point='path/to/your_training_script.py'
    train_instance_type='ml.p2.xlarge'
    ...
    rules = [custom_rule]
)
estimator.fit()
