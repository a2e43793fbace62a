from sagemaker.debugger import Rule, rule_configs
rules=[
    ProfilerRule.sagemaker(rule_configs.ProfilerReport())
]
