"""The report of a run: one HTML file that holds everything and loads nothing."""

from lunaflow.experiment.report._html import render, write

__all__ = ["render", "write"]
