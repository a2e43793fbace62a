from sagemaker.debugger import Rule, rule_configs
actions = rule_configs.ActionList(
    rule_configs.StopTraining(),
    rule_configs.Email("abc@abc.com"),
    rule_configs.SMS("+1234567890")
)
rules = [
    Rule.sagemaker(
        base_config=rule_configs.built_in_rule(),
        rule_parameters={"paramter_key": value },
        actions=actions
    )
]
estimator = Estimator(
    ...
    rules = rules
)
estimator.fit(wait=False)
