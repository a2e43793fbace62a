"""A rule of one's own, as the original's users write it: fires as soon as there is a loss."""

from smdebug.rules.rule import Rule


class LossIsThere(Rule):
    def __init__(self, base_trial):
        super().__init__(base_trial)

    def invoke_at_step(self, step):
        return bool(self.base_trial.tensor_names(collection="losses", step=step))
