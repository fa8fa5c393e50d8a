"""Commands on the real machine: how one is started, followed, and ended with everything that it started."""
