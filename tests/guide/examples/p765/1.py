built_in_rules = [
    Rule.sagemaker(
        base_config=rule_configs.class_imbalance(),
        rule_parameters={
            "threshold_imbalance": "10",
            "threshold_misprediction": "0.7",
            "samples": "500",
            "argmax": "False",
            "labels_regex": ".*labels",
            "predictions_regex": ".*predictions"
        },
        collections_to_save=[
            CollectionConfig(
                name="custom_output_collection",
                parameters={
                    "include_regex": ".*labels|.*predictions",
                    "save_interval": "500"
                }
            )
        ]
    )
]
