ProfilerConfig={
    'S3OutputPath': 's3://<default-bucket>/<training-job-name>/profiler-output',
    'ProfilingIntervalInMilliseconds': 500,
    'ProfilingParameters': {
        'DataloaderProfilingConfig': '{"StartStep": 5, "NumSteps": 3, "MetricsRegex": ".*"}',
        'DetailedProfilingConfig': '{"StartStep": 5, "NumSteps": 3}',
        'PythonProfilingConfig': '{"StartStep": 5, "NumSteps": 3, "ProfilerName": "cprofile", "cProfileTimer": "total_time"}',
        'LocalPath': '/opt/ml/output/profiler/'
    }
}
