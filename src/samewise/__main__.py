"""Run as ``python -m samewise``."""

from samewise.ensemble.cli import main

if __name__ == "__main__":
    main()
