from sagemaker.debugger import Rule, ProfilerRule, rule_configs, CollectionConfig
rules=[
    ProfilerRule.sagemaker(
        base_config=rule_configs.BuiltInProfilerRuleName(),
        rule_parameters={
            "key": "value"
        }
    )
]
