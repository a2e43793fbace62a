"""The names of the original library over Tensorwarden, for scripts and notebooks written for it."""
