aws sagemaker create-training-job --cli-input-json file://debugger-training-job-cli.json
