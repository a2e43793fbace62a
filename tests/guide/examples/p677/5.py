hook.save_tensor("images", image_inputs)
