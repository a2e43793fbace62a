hook.register_loss(loss_function)
