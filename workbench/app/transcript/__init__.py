"""The Transcript tab: what happened in a thread, what the provider is given because of it, and a voice to go on with."""
