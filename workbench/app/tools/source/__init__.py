"""The Source pane: the code behind a tool, and the editor of lambdas."""
