from sagemaker.debugger import Rule, CollectionConfig
custom_rule = Rule.custom(
    name='MyCustomRule',
    image_uri='registry.example/sagemaker-debugger-rule-evaluator:latest',
    instance_type='ml.t3.medium',
    source='path/to/my_custom_rule.py',
    rule_to_invoke='CustomGradientRule',
    collections_to_save=[CollectionConfig("gradients")],
    rule_parameters={"threshold": "20.0"}
)
