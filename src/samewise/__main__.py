"""Entry point of ``python -m samewise``."""

from samewise.ensemble.commands.cli import main

if __name__ == "__main__":
    main()
