"""What is read of a folder: its files found, decoded, parsed and cut into chunks, with what they state."""
