import tensorflow.compat.v2 as tf
from tensorflow.keras.applications.resnet50 import ResNet50
import smdebug.tensorflow as smd
def train(batch_size, epoch, model, hook):
    ...
    model.fit(X_train, Y_train,
        batch_size=batch_size,
        epochs=epoch,
        validation_data=(X_valid, Y_valid),
        shuffle=True,
        callbacks=[hook])
def main():
    parser=argparse.ArgumentParser(description="Train resnet50 cifar10")
    parser.add_argument(...)
    args = parser.parse_args()
    model=ResNet50(weights=None, input_shape=(32,32,3), classes=10)
    hook=smd.KerasHook.create_from_json_file()
    train(args.batch_size, args.epoch, model, hook)
if __name__ == "__main__":
    main()
