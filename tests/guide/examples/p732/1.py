import sagemaker
sagemaker.get_execution_role()
