"""Writers, by their old names."""
