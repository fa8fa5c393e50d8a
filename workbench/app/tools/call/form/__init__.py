"""The call form: a schema as fields to fill in, what was typed into them, and the JSON that this makes."""
