"""Names, units and formats that recording and reading share."""
