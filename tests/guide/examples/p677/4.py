hook.save_scalar("accuracy", accuracy)
