"""Reports that `warden` writes, in notebooks."""

from tensorwarden.report.profiler_report import ProfilerReport
from tensorwarden.report.xgboost_report import XgboostReport

__all__ = ["ProfilerReport", "XgboostReport"]
