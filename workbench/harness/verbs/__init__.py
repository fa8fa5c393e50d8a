"""The verbs, one a file: what each reads, does and answers."""
