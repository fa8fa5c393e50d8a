"""Images for a model: known by their first bytes, and made to fit what it is sent."""
