"""The wire: the very request that a provider gets at an event."""
