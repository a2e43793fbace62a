# needs: tensorflow
"""Two stages: pretrain an encoder on a source task, then train a new head on it.

The encoder stays frozen in the first part of the second stage and is unfrozen after that.
"""
import numpy as np
import keras
from keras import layers


def make_task(n, w_shared, w_task, rng):
    x = rng.normal(size=(n, 20)).astype("float32")
    hidden = np.tanh(x @ w_shared)
    y = (hidden @ w_task + 0.1 * rng.normal(size=(n, w_task.shape[1]))).argmax(1)
    return x, y


def build_encoder():
    inputs = keras.Input((20,), name="features")
    h = layers.Dense(64, activation="relu", name="enc1")(inputs)
    h = layers.LayerNormalization(name="enc_norm")(h)
    h = layers.Dense(64, activation="relu", name="enc2")(h)
    return keras.Model(inputs, h, name="encoder")


def with_head(encoder, n_classes, name):
    inputs = keras.Input((20,))
    h = encoder(inputs)
    h = layers.Dropout(0.2)(h)
    outputs = layers.Dense(n_classes, activation="softmax", name=name)(h)
    return keras.Model(inputs, outputs)


def main():
    keras.utils.set_random_seed(7)
    rng = np.random.default_rng(7)
    w_shared = rng.normal(size=(20, 6)) / np.sqrt(20) * 1.5
    x_src, y_src = make_task(6000, w_shared, rng.normal(size=(6, 6)), rng)
    w_target = rng.normal(size=(6, 4))
    x_tgt, y_tgt = make_task(1200, w_shared, w_target, rng)
    x_val, y_val = make_task(600, w_shared, w_target, rng)

    encoder = build_encoder()
    source = with_head(encoder, 6, "source_head")
    source.compile(
        optimizer=keras.optimizers.AdamW(2e-3, weight_decay=1e-4),
        loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    print("== source task")
    source.fit(x_src, y_src, batch_size=128, epochs=5, verbose=2)

    encoder.trainable = False
    target = with_head(encoder, 4, "target_head")
    target.compile(
        optimizer=keras.optimizers.Adam(3e-3),
        loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    print("== new head, frozen encoder")
    target.fit(x_tgt, y_tgt, batch_size=48, epochs=5, validation_data=(x_val, y_val), verbose=2)

    encoder.trainable = True
    target.compile(
        optimizer=keras.optimizers.Adam(5e-4, clipnorm=1.0),
        loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    print("== fine-tuning all layers")
    target.fit(x_tgt, y_tgt, batch_size=48, epochs=5, validation_data=(x_val, y_val), verbose=2)


if __name__ == "__main__":
    main()
