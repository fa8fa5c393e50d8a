"""The one way in: what may enter, and how what entered is done, recorded and told."""
