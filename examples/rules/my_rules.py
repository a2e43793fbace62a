"""A custom rule in Python.

warden eval RUN --rule examples/rules/my_rules.py:CustomGradientRule,threshold=20
"""

from smdebug.rules import Rule


class CustomGradientRule(Rule):
    """The gradients are getting too large."""

    def __init__(self, base_trial, threshold=10.0):
        super().__init__(base_trial)
        self.threshold = float(threshold)

    def invoke_at_step(self, step):
        for name in self.base_trial.tensor_names(collection="gradients"):
            tensor = self.base_trial.tensor(name)
            if tensor.reduction_value(step, "mean", abs=True) > self.threshold:
                return True
        return False
