"""Several folders asked as one: each with an index of its own, read together; paths begin with the folder's name."""
