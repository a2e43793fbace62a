from sagemaker.interactive_apps import tensorboard
region = "us-west-2"
app = tensorboard.TensorBoardApp(region)
app.get_app_url(
    training_job_name="your-training_job_name"
)
