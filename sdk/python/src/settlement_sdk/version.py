"""The version of this SDK, which is the service's that it was released with."""

__version__ = "1.1.0"
