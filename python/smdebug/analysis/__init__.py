"""Helpers for the analysis of runs."""
