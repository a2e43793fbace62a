built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.weight_update_ratio(),
        rule_parameters={
            "num_steps": "100",
            "large_threshold": "10.0",
            "small_threshold": "0.00000001",
            "epsilon": "0.000000001"
        },
        collections_to_save=[
            CollectionConfig(
                name="weights",
                parameters={
                    "train.save_interval": "100"
                }
            )
        ]
    )
]
