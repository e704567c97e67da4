"""`python -m deid`."""

from deid.cli import main

if __name__ == "__main__":
    main()
