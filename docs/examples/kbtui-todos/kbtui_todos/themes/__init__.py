"""The themes of the plug-in: every *.toml file here is one."""
