built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.check_input_images(),
        rule_parameters={
            "threshold_mean": "0.2",
            "threshold_samples": "500",
            "regex": ".*hybridsequential0_input_0",
            "channel": "1"
        },
        collections_to_save=[
            CollectionConfig(
                name="custom_inputs_collection",
                parameters={
                    "include_regex": ".*hybridsequential0_input_0",
                    "save_interval": "500"
                }
            )
        ]
    )
]
