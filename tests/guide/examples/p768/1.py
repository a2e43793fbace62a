built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.loss_not_decreasing(),
        rule_parameters={
            "tensor_regex": ".*",
            "use_losses_collection": "True",
            "num_steps": "10",
            "diff_percent": "0.1",
            "increase_threshold_percent": "5",
            "mode": "GLOBAL"
        },
        collections_to_save=[
            CollectionConfig(
                name="losses",
                parameters={
                    "save_interval": "500"
                }
            )
        ]
    )
]
