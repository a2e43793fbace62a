built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.dead_relu(),
        rule_parameters={
            "tensor_regex": ".*relu_output|.*ReLU_output",
            "threshold_inactivity": "1.0",
            "threshold_layer": "50.0"
        },
        collections_to_save=[
            CollectionConfig(
                name="custom_relu_collection",
                parameters={
                    "include_regex: ".*relu_output|.*ReLU_output",
                    "save_interval": "500"
                }
            )
        ]
    )
]
