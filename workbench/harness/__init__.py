"""The core: documents, log, door and folds. Knows nothing of a terminal, a command line or a model provider."""
