verified: "Queue[AnyCallback]" = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            # Verifies the raw bytes: it raises unless they are ours and fresh.
            verified.put(verify_callback(self.headers, body, os.environ["CALLBACK_SECRET"]))
            self.send_response(200)
        except CallbackRefused:
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
