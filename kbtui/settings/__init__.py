"""What the user may set, where it is read from, and where kbtui keeps its own files."""
