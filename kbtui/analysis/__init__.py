"""Requests about data: what kind they are, how they are planned, run step by step and checked (spec 004)."""
