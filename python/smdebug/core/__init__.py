"""The modules below the public names."""
