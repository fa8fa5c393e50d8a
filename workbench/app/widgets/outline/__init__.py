"""A tree that is folded and unfolded, of any size, in one widget: what is folded is not even made."""
