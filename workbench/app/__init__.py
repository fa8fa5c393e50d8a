"""The terminal app: what a person sees of a Space, and the keys to act on it."""
