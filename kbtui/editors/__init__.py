"""Opening a file at a line in whatever editor the reader uses."""
