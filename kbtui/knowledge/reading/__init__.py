"""Reads folders: finds their files, decodes and parses them, cuts them into chunks, and extracts relations."""
