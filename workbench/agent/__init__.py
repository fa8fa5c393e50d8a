"""The agent: the loop that lets a model drive the harness, and the models."""
