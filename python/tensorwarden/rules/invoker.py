"""Runs a rule on the steps of its trial."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from tensorwarden.base.exceptions import (
    NoMoreProfilerData,
    RuleEvaluationConditionMet,
    StepUnavailable,
    TensorUnavailable,
    TensorUnavailableForStep,
)
from tensorwarden.base.log import get_logger

if TYPE_CHECKING:
    from tensorwarden.rules.rule import Rule


def invoke_rule(
    rule_obj: Rule,
    start_step: int = 0,
    end_step: int | None = None,
    raise_eval_cond: bool = False,
) -> None:
    """Invokes a rule at each step from `start_step` up to, but not including, `end_step`.

    Steps and tensors that were not saved are skipped. Without `end_step` it runs until the job has
    ended and then raises `NoMoreData`. A finding ends the rule only if the rule requests it or with
    `raise_eval_cond`, which raises `RuleEvaluationConditionMet`.
    """
    logger = get_logger()
    logger.info(f"Started execution of rule {rule_obj.rule_name} at step {start_step}")
    for step in count(start_step) if end_step is None else range(start_step, end_step):
        try:
            rule_obj.invoke(step)
        except (TensorUnavailableForStep, StepUnavailable, TensorUnavailable) as error:
            logger.debug(str(error))
        except RuleEvaluationConditionMet as found:
            if raise_eval_cond:
                raise
            logger.debug(str(found))
            if found.end_of_rule:
                break
        except NoMoreProfilerData as error:
            logger.info(str(error))
            break
    logger.info(f"Ended execution of rule {rule_obj.rule_name} at step {end_step}")
