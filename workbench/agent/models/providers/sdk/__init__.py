"""What stands on the providers' libraries. Importing it takes a second: only `providers.shared` does, when it asks."""
