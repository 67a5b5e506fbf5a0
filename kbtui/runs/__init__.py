"""What drives a run: the engine, the stamping of events, the audit log, recorded durations, what was asked before."""
