"""Everything that a training step starts from, as files of a run."""
