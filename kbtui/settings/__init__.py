"""Settings: their model, the files and variables they are read from, and the folders that kbtui writes to."""
