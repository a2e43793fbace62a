"""Shows the reports of `warden` in notebooks."""

from tensorwarden.report.profiler_report import ProfilerReport
from tensorwarden.report.xgboost_report import XgboostReport

__all__ = ["ProfilerReport", "XgboostReport"]
