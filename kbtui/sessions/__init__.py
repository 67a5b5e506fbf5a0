"""Recorded sessions: every event of every run as a JSON line, to list, resume, replay and export."""
