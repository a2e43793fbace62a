"""Captures the training of a script: `python -m tensorwarden [options] train.py args...`."""

from tensorwarden.auto.launch.command import main

if __name__ == "__main__":
    main()
