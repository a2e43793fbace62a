"""Custom rules, evaluated step by step on trials."""

from tensorwarden.rules.invoker import invoke_rule
from tensorwarden.rules.required_tensors import RequiredTensors, RequiredTensorsForTrial
from tensorwarden.rules.rule import Rule

__all__ = ["RequiredTensors", "RequiredTensorsForTrial", "Rule", "invoke_rule"]
