"""fit(wait=True) with logs, and a job that fails."""

import sys

import sagemaker
from sagemaker.estimator import Estimator

session = sagemaker.Session(default_bucket="demo-bucket")
for fail in ("0", "3"):
    estimator = Estimator(
        image_uri="local/train:1",
        role="arn:aws:iam::123456789012:role/Demo",
        instance_count=1,
        instance_type="ml.m5.xlarge",
        entry_point="quick.py",
        source_dir=sys.argv[1],
        base_job_name="waits",
        output_path="s3://demo-bucket/",
        sagemaker_session=session,
        hyperparameters={"seconds": 0.1, "fail": fail},
        disable_profiler=True,
        debugger_hook_config=False,
    )
    try:
        estimator.fit(wait=True, logs="None" if fail == "3" else "All")
        print(f"\nENDED {fail} well")
    except Exception as error:
        print(f"\nENDED {fail} {type(error).__name__}: {error}")
