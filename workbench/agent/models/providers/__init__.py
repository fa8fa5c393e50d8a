"""The models of the providers, each spoken to over its own protocol."""
