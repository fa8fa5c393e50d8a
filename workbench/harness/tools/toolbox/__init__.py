"""The toolbox: seven tools that act on the real machine, one file a tool."""
