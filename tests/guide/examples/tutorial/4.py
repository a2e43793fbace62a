import boto3
client = boto3.client('sagemaker')
job_name = estimator.latest_training_job.name
description = client.describe_training_job(TrainingJobName=job_name)
for rule_eval in description.get('DebugRuleEvaluationStatuses', []):
    print(f"Rule: {rule_eval['RuleConfigurationName']}")
    print(f"  Status: {rule_eval['RuleEvaluationStatus']}")
    if 'StatusDetails' in rule_eval:
        print(f"  Details: {rule_eval['StatusDetails']}")
    print()
