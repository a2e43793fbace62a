"""`python -m tensorwarden`: captures a script in this process."""
