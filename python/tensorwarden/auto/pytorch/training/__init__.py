"""Observes a training loop: optimizers, losses, modes, loaders and activations."""
