"""What happened: events, and the values folded from them."""
