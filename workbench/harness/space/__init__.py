"""What the agent has: tools, memory, settings, and the index of it all."""
