"""Reads and writes single files of a run."""
