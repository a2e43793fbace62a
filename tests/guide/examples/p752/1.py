built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.poor_weight_initialization(),
        rule_parameters={
            "activation_inputs_regex": ".*relu_input|.*ReLU_input",
            "threshold": "10.0",
            "distribution_range": "0.001",
            "patience": "5",
            "steps": "10"
        },
        collections_to_save=[
            CollectionConfig(
                name="custom_relu_collection",
                parameters={
                    "include_regex": ".*relu_input|.*ReLU_input",
                    "save_interval": "500"
                }
            )
        ]
    )
]
