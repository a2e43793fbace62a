aws sagemaker update-training-job \
--cli-input-json file://update-training-job-with-remote-debug-config.json
