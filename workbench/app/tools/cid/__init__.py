"""The CID pane: the identity of a tool and its versions."""
