hook.register_module(model)
