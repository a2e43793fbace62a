"""Reports that `warden` writes, in notebooks."""

from tensorwarden.report.profiler_report import ProfilerReport

__all__ = ["ProfilerReport"]
