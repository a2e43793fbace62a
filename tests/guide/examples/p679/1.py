model=tf.keras.Model(...)
hook.register_model(model)
