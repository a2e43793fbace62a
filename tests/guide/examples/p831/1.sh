aws sagemaker create-training-job \
--cli-input-json file://train-with-remote-debug.json
