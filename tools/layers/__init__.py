"""How the sources of each language use each other, for tools/check_layers.py."""
