# needs: tensorflow
"""Small CNN on drawn digits-like glyphs, with the usual callbacks."""
import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(812)

GLYPHS = [
    "010101101101010", "010110010010111", "110001010100111", "110001010001110",
    "101101111001001", "111100110001110", "011100110101010", "111001010010010",
]


def render(n, rng, size=12):
    x = np.zeros((n, size, size, 1), dtype="float32")
    y = rng.integers(0, len(GLYPHS), n)
    for i, label in enumerate(y):
        glyph = np.array([int(c) for c in GLYPHS[label]]).reshape(5, 3)
        big = np.kron(glyph, np.ones((2, 2)))
        r, c = rng.integers(0, size - 10 + 1), rng.integers(0, size - 6 + 1)
        x[i, r:r + 10, c:c + 6, 0] = big * rng.uniform(120, 255)
    x += rng.normal(0, 25, x.shape)
    return np.clip(x, 0, 255), y


rng = np.random.default_rng(0)
x_train, y_train = render(2560, rng)
x_val, y_val = render(512, rng)
x_train = x_train / 255.0
x_val = x_val / 255.0

model = keras.Sequential([
    keras.Input(shape=(12, 12, 1)),
    layers.Conv2D(16, 3, padding="same"),
    layers.BatchNormalization(),
    layers.ReLU(),
    layers.MaxPooling2D(),
    layers.Conv2D(32, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Flatten(),
    layers.Dropout(0.3),
    layers.Dense(64, activation="relu"),
    layers.Dense(len(GLYPHS)),
])
model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=1e-3),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
callbacks = [
    keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=2),
    keras.callbacks.EarlyStopping(monitor="val_loss", patience=5, restore_best_weights=True),
]
model.fit(
    x_train, y_train,
    validation_data=(x_val, y_val),
    batch_size=64,
    epochs=10,
    callbacks=callbacks,
    verbose=2,
)
loss, acc = model.evaluate(x_val, y_val, verbose=0)
print(f"validation loss {loss:.4f} accuracy {acc:.3f}")
