"""Checked automatic differentiation: dual numbers whose operations say where a derivative fails."""
