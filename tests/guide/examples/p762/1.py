built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.all_zero(),
        rule_parameters={
            "tensor_regex": ".*",
            "threshold": "100"
        },
        collections_to_save=[
            CollectionConfig(
                name="all",
                parameters={
                    "save_interval": "500"
                }
            )
        ]
    )
]
