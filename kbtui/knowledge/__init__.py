"""A folder, read, cut, indexed and searched. Nothing heavy is imported until it is used."""
