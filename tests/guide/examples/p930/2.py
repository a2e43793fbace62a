setup_profiler_report(processing_job_arn, opt_out=True)
