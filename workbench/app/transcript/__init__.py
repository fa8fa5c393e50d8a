"""The Transcript tab: what happened in a thread, what the provider gets because of it, and a voice to go on with."""
