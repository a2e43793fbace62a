"""See `tensorwarden.rules`."""

from tensorwarden.rules import RequiredTensors, RequiredTensorsForTrial, Rule, invoke_rule

__all__ = ["RequiredTensors", "RequiredTensorsForTrial", "Rule", "invoke_rule"]
