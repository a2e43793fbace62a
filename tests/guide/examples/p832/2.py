import boto3
session = boto3.session.Session()
region = session.region_name
sm = boto3.Session(region_name=region).client("sagemaker")
sm.describe_training_job(TrainingJobName=job_name)
