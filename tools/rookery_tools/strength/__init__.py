"""How strong the levels of the bots are, measured by matches between them."""
