"""Databases and files of data: opened for reading only, described, asked, and never believed to be harmless."""
