"""The settlement service from Python: signed, retried safely, typed from its OpenAPI documents. Standard library only; `settlement_sdk.aio` needs httpx."""

from .callbacks import verify_callback, verify_event, verify_mirrored
from .client import SettlementClient
from .errors import CallbackRefused, NotTerminal, ProofRefused, Refused, SettlementError, Unanswered
from .generated import AnyCallback, Event
from .proofs import Proof, verify_proof
from .received import Callback
from .signing import sign_request
from .totals import expected_total
from .version import __version__

__all__ = [
    "AnyCallback",
    "Callback",
    "CallbackRefused",
    "Event",
    "NotTerminal",
    "Proof",
    "ProofRefused",
    "Refused",
    "SettlementClient",
    "SettlementError",
    "Unanswered",
    "__version__",
    "expected_total",
    "sign_request",
    "verify_callback",
    "verify_event",
    "verify_mirrored",
    "verify_proof",
]
