"""SQLite and lock files: bytes and rows, no meaning."""
