python_analysis = cProfileAnalysis(
    local_profile_dir=tf_python_stats_dir,
    s3_path=tj.profiler_s3_output_path
)
