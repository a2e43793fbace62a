"""Records timelines in the training."""
