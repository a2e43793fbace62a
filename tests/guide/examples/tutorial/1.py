import sagemaker
from sagemaker.debugger import Rule, rule_configs, DebuggerHookConfig, CollectionConfig
session = sagemaker.Session()
role = sagemaker.get_execution_role()
bucket = session.default_bucket()
rules = [
    Rule.sagemaker(
        rule_configs.loss_not_decreasing(),
        rule_parameters={
            'collection_names': 'losses',
            'num_steps': 10,
            'diff_percent': 0.1
        }
    ),
    Rule.sagemaker(
        rule_configs.overfit(),
        rule_parameters={
            'patience': 5,
            'ratio_threshold': 0.1
        }
    ),
    Rule.sagemaker(
        rule_configs.vanishing_gradient(),
        rule_parameters={
            'threshold': 0.0000001
        }
    ),
    Rule.sagemaker(
        rule_configs.exploding_tensor(),
        rule_parameters={
            'collection_names': 'weights,gradients',
            'only_nan': False
        }
    ),
    Rule.sagemaker(rule_configs.weight_update_ratio())
]
