"""The settlement service from Python: signed, retried safely, typed from its OpenAPI documents. Standard library only."""

from .callbacks import Callback, verify_callback, verify_mirrored
from .client import SettlementClient
from .errors import CallbackRefused, NotTerminal, Refused, SettlementError, Unanswered
from .signing import sign_request

__all__ = [
    "Callback",
    "CallbackRefused",
    "NotTerminal",
    "Refused",
    "SettlementClient",
    "SettlementError",
    "Unanswered",
    "sign_request",
    "verify_callback",
    "verify_mirrored",
]
