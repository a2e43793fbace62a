import sagemaker
session = sagemaker.Session()
training_job_info = session.describe_training_job(job_name)
print(training_job_info)
