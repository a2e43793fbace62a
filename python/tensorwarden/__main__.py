"""`python -m tensorwarden [options] train.py args...`: captures what a script trains."""

from tensorwarden.auto.command import main

if __name__ == "__main__":
    main()
