rules=[ProfilerRule.sagemaker(rule_configs.ProfilerReport())]
