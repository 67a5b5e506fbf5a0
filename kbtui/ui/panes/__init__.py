"""Panes: each renders a part of a `RunView`, independently of the others; each stage of a run has its own pane."""
