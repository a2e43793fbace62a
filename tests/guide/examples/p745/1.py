rules=[
    Rule.sagemaker(
        rule_configs.create_xgboost_report()
    )
]
