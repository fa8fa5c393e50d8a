"""Models: what they are asked, what they answer, and the adapters to those that exist."""
