"""Who thinks when a chat model is configured. Never believed blindly: behind each stage stands the offline one."""
