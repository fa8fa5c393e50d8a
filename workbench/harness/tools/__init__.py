"""What can be called, one folder a kind."""
