"""Reasoners that use a chat model. Their output is checked, and each stage falls back to its offline counterpart."""
