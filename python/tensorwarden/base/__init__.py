"""What every package needs: exceptions, modes, logs, wrappers. Knows no other package."""
