import smdebug.pytorch as smd
hook=smd.get_hook(create_if_not_exists=True)
if hook is None:
    hook=smd.Hook(
        out_dir='/path/to/your/local/output/',
        export_tensorboard=True
    )
