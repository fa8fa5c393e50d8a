"""The Space tab: what the agent has, as the model reads it, and what the owner allows of it."""
