"""The index of a folder on disk: text and vectors, who may write them, and how they are read back."""
