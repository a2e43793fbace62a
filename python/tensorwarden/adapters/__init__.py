"""One package per framework; they do not depend on each other."""
