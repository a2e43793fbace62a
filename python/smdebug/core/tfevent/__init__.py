"""Writers, with their old names."""
