from sagemaker.debugger import Rule, ProfilerRule, rule_configs
rules=[
    ProfilerRule.sagemaker(rule_configs.BuiltInProfilerRuleName_1()),
    ProfilerRule.sagemaker(rule_configs.BuiltInProfilerRuleName_2()),
    ...
    ProfilerRule.sagemaker(rule_configs.BuiltInProfilerRuleName_n()),
    ...
]
estimator=Estimator(
    ...
    rules=rules
)
