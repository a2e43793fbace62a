built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.confusion(),
        rule_parameters={
            "category_no": "10",
            "labels": "labels",
            "predictions": "predictions",
            "labels_collection": "labels",
            "predictions_collection": "predictions",
            "min_diag": "0.9",
            "max_off_diag": "0.1"
        },
        collections_to_save=[
            CollectionConfig(
                name="labels",
                parameters={
                    "save_interval": "500"
                }
            ),
            CollectionConfig(
                name="predictions",
                parameters={
                    "include_regex": "500"
                }
            )
        ]
    )
]
