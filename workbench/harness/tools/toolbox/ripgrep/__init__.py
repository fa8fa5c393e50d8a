"""ripgrep as the search under `grep` and `find`: where it is, how it runs, what its rows become."""
