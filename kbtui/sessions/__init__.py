"""What was asked before: every run as it happened, one JSON line an event, to list, resume, replay and export."""
