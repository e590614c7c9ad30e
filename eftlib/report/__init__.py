"""What notebooks show: results of a study, the instruments themselves, and where everything comes from."""

from eftlib.report.page import Page

__all__ = ["Page"]
