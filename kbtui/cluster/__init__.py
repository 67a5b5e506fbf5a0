"""A folder indexed by many machines: they read files and embed texts, as stages of Ray Data; this one writes."""
