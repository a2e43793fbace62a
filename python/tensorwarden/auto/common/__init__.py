"""What the capture of all frameworks shares."""
