"""How `tensorwarden.Client` speaks to a service."""
