built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.tree_depth(),
        rule_parameters={
            "depth": "4"
        },
        collections_to_save=[
            CollectionConfig(
                name="tree",
                parameters={
                    "save_interval": "500"
                }
            )
        ]
    )
]
