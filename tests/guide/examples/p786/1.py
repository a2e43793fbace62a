built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.nlp_sequence_ratio(),
        rule_parameters={
            "tensor_regex": ".*embedding0_input_0",
            "token_values": "0",
            "token_thresholds_percent": "50"
        },
        collections_to_save=[
            CollectionConfig(
                name="custom_inputs_collection",
                parameters={
                    "include_regex": ".*embedding0_input_0"
                }
            )
        ]
    )
]
