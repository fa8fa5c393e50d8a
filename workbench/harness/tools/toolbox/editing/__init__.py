"""What `edit` does: where the old text stands, what takes its place, how the change is shown."""
