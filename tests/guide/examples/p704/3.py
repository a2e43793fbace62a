estimator.latest_training_job.describe()
