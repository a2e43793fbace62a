"""One package for each framework; none knows another."""
