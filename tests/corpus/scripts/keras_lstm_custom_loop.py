# needs: tensorflow
"""Forecast a noisy seasonal series with an LSTM; custom training loop with GradientTape."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
np.random.seed(0)

WINDOW, BATCH, EPOCHS = 24, 64, 7

t = np.arange(3200)
series = 20 + 5 * np.sin(2 * np.pi * t / 24) + 2 * np.sin(2 * np.pi * t / 168)
series = (series + 0.4 * np.random.randn(len(t))).astype("float32")
split = 2600
mean, std = series[:split].mean(), series[:split].std()
series = (series - mean) / std


def windows(values):
    x = np.stack([values[i:i + WINDOW] for i in range(len(values) - WINDOW)])[..., None]
    y = values[WINDOW:][:, None]
    return x, y


x_train, y_train = windows(series[:split])
x_val, y_val = windows(series[split:])
train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(4096, seed=1).batch(BATCH)
val_ds = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(256)

model = tf.keras.Sequential([
    tf.keras.layers.Input((WINDOW, 1)),
    tf.keras.layers.LSTM(32),
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(1),
])
loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.Adam(learning_rate=5e-3)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        pred = model(x, training=True)
        loss = loss_fn(y, pred)
    grads = tape.gradient(loss, model.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss, norm


@tf.function
def val_step(x, y):
    return loss_fn(y, model(x, training=False))


for epoch in range(EPOCHS):
    losses, norms = [], []
    for x, y in train_ds:
        loss, norm = train_step(x, y)
        losses.append(float(loss))
        norms.append(float(norm))
    val = np.mean([float(val_step(x, y)) for x, y in val_ds])
    print(f"epoch {epoch + 1} loss {np.mean(losses):.4f} grad norm {np.mean(norms):.3f} "
          f"val {val:.4f} val rmse {np.sqrt(val) * std:.3f}")
    if epoch == EPOCHS // 2:
        optimizer.learning_rate.assign(1e-3)
