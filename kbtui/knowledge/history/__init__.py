"""What the Git repository around a folder tells of its files: who changed them, when and why."""
