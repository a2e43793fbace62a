"""Runs a forward pass again, on a copy of its model, to find out where values stopped being
finite."""
