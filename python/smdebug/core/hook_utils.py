"""See `tensorwarden.out_dir`."""

from tensorwarden.hook.out_dir import verify_and_get_out_dir

__all__ = ["verify_and_get_out_dir"]
