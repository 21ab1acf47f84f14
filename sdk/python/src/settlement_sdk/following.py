"""Following events across restarts."""

from typing import Optional, Protocol


class CursorStore(Protocol):
    """Where a reader of events is: kept where it survives a crash, best in the transaction that does what the events ask for."""

    def read(self) -> Optional[str]:
        """None: it has none yet, and begins with the oldest events."""

    def write(self, cursor: str) -> None: ...
