"""The parts below the public names."""
