$ pip install --upgrade sagemaker
