"""What this package raises on purpose."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, TypedDict


class Fault(TypedDict):
    at: str
    code: str
    message: str


class SettlementError(Exception):
    """Everything that this package raises on purpose."""


class Refused(SettlementError):
    """The service refused the request. `code` says why, and may be unknown to this version: treat that by its `status`.
    """

    def __init__(self, status: int, headers: Mapping[str, str], body: object) -> None:
        parsed: Dict[str, Any] = body if isinstance(body, dict) else {}
        self.status = status
        self.faults: List[Fault] = _faults(parsed)
        """The invalid fields, with 422."""
        self.code: str = str(parsed.get("code") or ("validation_failed" if status == 422 else "unknown"))
        detail = parsed.get("detail")
        first = self.faults[0]["message"] if self.faults else f"The service answered {status}."
        self.detail: str = detail if isinstance(detail, str) else first
        self.request_id: Optional[str] = headers.get("x-request-id")
        self.retry_after: Optional[float] = _seconds(headers.get("retry-after"))
        """The seconds after which you may try again."""
        self.members: Dict[str, Any] = parsed
        """Such as `server_time`, `current_destination_amount`, `settlement_status`."""
        places = [one["at"] if one["message"] == self.detail else f"{one['at']}: {one['message']}" for one in self.faults]
        super().__init__(f"{status} {self.code}: {self.detail}" + (f" ({'; '.join(places)})" if places else ""))


class Unanswered(SettlementError):
    """No answer came after all attempts: it is unknown whether anything happened. Repeating the call is safe."""


class NotTerminal(SettlementError):
    """It has not ended in the given time, or never will by itself. `last` is its last state."""

    def __init__(self, message: str, last: Any) -> None:
        super().__init__(message)
        self.last = last


class CallbackRefused(SettlementError):
    """A callback that is not genuine. Answer it with 400, and do nothing else."""


class ProofRefused(SettlementError):
    """A proof that is not genuine."""


def _faults(parsed: Dict[str, Any]) -> List[Fault]:
    errors, detail = parsed.get("errors"), parsed.get("detail")
    if isinstance(errors, list):
        return [
            {"at": str(one.get("pointer", one.get("parameter", ""))), "code": str(one.get("code", "")), "message": str(one.get("message", ""))}
            for one in errors
        ]
    if not isinstance(detail, list):
        return []
    return [
        {"at": ".".join(str(each) for each in one.get("loc", [])), "code": str(one.get("type", "")), "message": str(one.get("msg", ""))}
        for one in detail
    ]


def _seconds(text: Optional[str]) -> Optional[float]:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
