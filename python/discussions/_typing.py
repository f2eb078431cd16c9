"""What only type checkers import. They know `typing_extensions` without its being installed."""

import sys

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack  # pyright: ignore[reportMissingModuleSource]

__all__ = ["Unpack"]
