from sagemaker.debugger import DebuggerHookConfig
debugger_hook_config=DebuggerHookConfig(
    s3_output_path="specify-uri"
    collection_configs=collection_configs
)
