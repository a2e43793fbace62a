import smdebug.pytorch as smd
hook=smd.get_hook(create_if_not_exists=True)
