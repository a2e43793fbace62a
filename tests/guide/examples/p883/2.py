from sagemaker.debugger import Rule, ProfilerRule, rule_configs
rules = [
    ProfilerRule.sagemaker(
        base_config=rule_configs.BuiltInRuleName(),
        rule_parameters={
            "key": "value"
        }
    )
]
