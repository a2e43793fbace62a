ProfilerRuleConfigurations=[
    {
        'RuleConfigurationName': 'ProfilerReport',
        'RuleEvaluatorImage': 'registry.example/sagemaker-debugger-rules:latest',
        'RuleParameters': {
            'rule_to_invoke': 'ProfilerReport',
            'CPUBottleneck_cpu_threshold': '90',
            'IOBottleneck_threshold': '90'
        }
    }
]
