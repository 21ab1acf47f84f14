from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Callable, Set

from settlement_sdk import AnyCallback, CallbackRefused, verify_callback


class Receiver(ThreadingHTTPServer):
    """A web server for callbacks. It calls `handle` once for each genuine callback, and answers 200 when that is done. A copy
    gets 200 and does nothing. Keep the ids in your database in production, in the transaction that changes your order."""

    def __init__(self, callback_secret: str, handle: Callable[[AnyCallback], None], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Request)
        self.url = f"http://127.0.0.1:{self.server_port}/callbacks"
        self._callback_secret = callback_secret
        self._handle = handle
        self._handled: Set[str] = set()
        self._lock = Lock()

    def receive(self, headers: "dict[str, str]", body: bytes) -> None:
        # The signature is over the raw bytes, so verify before you parse.
        callback = verify_callback(headers, body, self._callback_secret)
        with self._lock:
            if callback.id not in self._handled:
                self._handle(callback)
                self._handled.add(callback.id)


class _Request(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            self.server.receive(dict(self.headers.items()), body)
            status = 200
        except CallbackRefused:
            status = 400  # It is not from the service.
        except Exception:
            status = 500  # A fault on your side. The callback comes again.
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing."""
