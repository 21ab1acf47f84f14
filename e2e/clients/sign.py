#!/usr/bin/env python3
"""Signs a request to the settlement service and sends it. Python's standard library only.

    API_KEY=... API_SECRET=... sign.py METHOD BASE_URL PATH[?QUERY] [BODY]
    sign.py --vectors docs/signing-vectors.json

The HTTP status goes to stderr, the answer's body to stdout. BRAND (default Service) names the X-<BRAND>-... headers;
IDEMPOTENCY_KEY, when set, is sent along.
"""
import hashlib
import hmac
import http.client
import json
import os
import sys
import time
import urllib.parse
import uuid


def signing_string(timestamp, method, path, query, body):
    return b"\n".join([timestamp.encode(), method.encode(), path.encode(), query.encode(), body])


def sign(secret, timestamp, method, path, query, body):
    message = signing_string(timestamp, method, path, query, body)
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def send(method, base_url, target, body):
    base = urllib.parse.urlsplit(base_url)
    connect = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
    timestamp = str(int(time.time()))
    path, _, query = target.partition("?")
    brand = os.environ.get("BRAND", "Service")
    headers = {
        "Authorization": os.environ["API_KEY"],
        "Content-Type": "application/json",
        f"X-{brand}-Timestamp": timestamp,
        f"X-{brand}-Nonce": str(uuid.uuid4()),
        f"X-{brand}-Signature": sign(os.environ["API_SECRET"], timestamp, method, path, query, body),
    }
    if os.environ.get("IDEMPOTENCY_KEY"):
        headers["Idempotency-Key"] = os.environ["IDEMPOTENCY_KEY"]
    connection = connect(base.hostname, base.port, timeout=60)
    # The target is sent unchanged: the signed target is the one on the wire.
    connection.request(method, target, body=body or None, headers=headers)
    answer = connection.getresponse()
    sys.stderr.write(f"{answer.status}\n")
    sys.stdout.buffer.write(answer.read())


def check_vectors(file):
    with open(file, encoding="utf-8") as handle:
        vectors = json.load(handle)["vectors"]
    wrong = 0
    for vector in vectors:
        parts = [vector[name] for name in ("timestamp", "method", "path", "query")] + [vector["body"].encode()]
        same_string = signing_string(*parts) == vector["signing_string"].encode()
        if not (same_string and hmac.compare_digest(sign(vector["secret"], *parts), vector["signature"])):
            sys.stderr.write(f"mismatch: {vector['name']}\n")
            wrong += 1
    print(f"{len(vectors) - wrong} of {len(vectors)} vectors match")
    return 1 if wrong or not vectors else 0


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--vectors":
        return check_vectors(arguments[1])
    if len(arguments) not in (3, 4):
        sys.stderr.write(__doc__)
        return 2
    for name in ("API_KEY", "API_SECRET"):
        if not os.environ.get(name):
            sys.stderr.write(f"{name} is not set\n")
            return 2
    method, base_url, target = arguments[:3]
    # Arguments arrive as bytes; surrogateescape restores exactly those.
    body = os.fsencode(arguments[3]) if len(arguments) == 4 else b""
    if not target.isascii():
        sys.stderr.write("a request target is ASCII: percent-encode it first\n")
        return 2
    try:
        send(method.upper(), base_url, target, body)
    except OSError as error:
        sys.stderr.write(f"no answer from {base_url}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
