"""Runs a dumped step again: `warden replay`."""
