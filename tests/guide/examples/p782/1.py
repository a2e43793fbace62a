built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.unchanged_tensor(),
        rule_parameters={
            "collection_names": "losses",
            "tensor_regex": "",
            "num_steps": "3",
            "rtol": "1e-05",
            "atol": "1e-08",
            "equal_nan": "False"
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
