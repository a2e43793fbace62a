built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.saturated_activation(),
        rule_parameters={
            "tensor_regex": ".*tanh_input|.*sigmoid_input",
            "threshold_tanh_min": "-9.4999",
            "threshold_tanh_max": "9.4999",
            "threshold_sigmoid_min": "-23",
            "threshold_sigmoid_max": "16.99999",
            "threshold_inactivity": "1.0",
            "threshold_layer": "50.0"
        },
        collections_to_save=[
            CollectionConfig(
                name="custom_activations_collection",
                parameters={
                    "include_regex": ".*tanh_input|.*sigmoid_input"
                    "save_interval": "500"
                }
            )
        ]
    )
]
