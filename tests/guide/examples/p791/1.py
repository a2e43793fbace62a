built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.feature_importance_overweight(),
        rule_parameters={
            "threshold": "0.8",
            "nfeatures": "3",
            "tensor_regex": ".*feature_importance/weight"
        },
        collections_to_save=[
            CollectionConfig(
                name="feature_importance",
                parameters={
                    "save_interval": "500"
                }
            )
        ]
    )
]
