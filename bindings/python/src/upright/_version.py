"""The version of the package, that of the library."""

__version__ = "0.3.0"
