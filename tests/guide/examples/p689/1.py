from sagemaker.debugger import DebuggerHookConfig
debugger_hook_config=DebuggerHookConfig(
    collection_configs=collection_configs
)
