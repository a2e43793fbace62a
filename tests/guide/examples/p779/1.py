built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.tensor_variance(),
        rule_parameters={
            "collection_names": "weights",
            "max_threshold": "10",
            "min_threshold": "0.00001",
        },
        collections_to_save=[
            CollectionConfig(
                name="weights",
                parameters={
                    "save_interval": "500"
                }
            )
        ]
    )
]
