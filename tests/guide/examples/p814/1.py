ProfilerConfig={
    'S3OutputPath': 's3://<default-bucket>/<training-job-name>/profiler-output',
    'ProfilingIntervalInMilliseconds': 500,
    'ProfilingParameters': {
        'DataloaderProfilingConfig': '{"StartTimeInSecSinceEpoch": 12345567789, "DurationInSeconds": 10, "MetricsRegex": ".*"}',
        'DetailedProfilingConfig': '{"StartTimeInSecSinceEpoch": 12345567789, "DurationInSeconds": 10}',
        'PythonProfilingConfig': '{"StartTimeInSecSinceEpoch": 12345567789, "DurationInSeconds": 10, "ProfilerName": "cprofile", "cProfileTimer": "total_time"}',
        'LocalPath': '/opt/ml/output/profiler/'
    }
}
