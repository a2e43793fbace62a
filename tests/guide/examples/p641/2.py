from sagemaker.interactive_apps import tensorboard
region = "us-west-2"
app = tensorboard.TensorBoardApp(region)
print("Navigate to the following URL:")
print(
    app.get_app_url(
        training_job_name="your-training_job_name",
        open_in_default_web_browser=False
    )
)
