"""`python -m biaspipe`, the same as the command `biaspipe`."""

from biaspipe.cli import main

if __name__ == "__main__":
    main()
