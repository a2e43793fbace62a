"""Access to a service, for `tensorwarden.Client`."""
