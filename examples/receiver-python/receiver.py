"""A receiver of webhooks. Needs Python 3.10 and the package cryptography: Python itself has no AES.

    WEBHOOK_SECRETS=<64 hexadecimal digits>[,<the one before>] [PORT=3000] python receiver.py
"""

import json
import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

BODY_BYTES_MAX = 1_048_576


def secrets_of(setting):
    """The secrets of a setting; whoever starts without one is to see it at once."""
    secrets = setting.split(",")
    if not all(re.fullmatch("[0-9a-fA-F]{64}", secret) for secret in secrets):
        raise ValueError("WEBHOOK_SECRETS must be 64 hexadecimal digits, or two such secrets with a comma between")
    return secrets


def opened(iv, tag, body, secrets):
    """What a notification says; raises ValueError unless it is exactly as somebody with a secret has sent it.

    While a secret is rotated, secrets are the new one and the one before.
    """
    text = json.loads(body)["encryptedBody"] if body.startswith("{") else body
    iv_bytes, tag_bytes, encrypted = bytes.fromhex(iv), bytes.fromhex(tag), bytes.fromhex(text)
    if len(iv_bytes) != 12 or len(tag_bytes) != 16:
        raise ValueError("not a notification")
    for secret in secrets:
        try:
            return json.loads(AESGCM(bytes.fromhex(secret)).decrypt(iv_bytes, encrypted + tag_bytes, None))
        except InvalidTag:
            pass  # Perhaps the other secret.
    raise ValueError("not encrypted with a secret of ours")


def receiver(secrets, keep, port):
    """Answers 200 once the notification is kept: whatever else is answered, it comes again."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("Content-Length", "0"))
            if not 0 <= length <= BODY_BYTES_MAX:
                return self.answer(413)
            try:
                body = self.rfile.read(length).decode()
                iv = self.headers.get("X-Initialization-Vector", "")
                tag = self.headers.get("X-Authentication-Tag", "")
                notification = opened(iv, tag, body, secrets)
            except (ValueError, KeyError, TypeError):
                return self.answer(401)
            keep(notification)
            self.answer(200)

        def answer(self, status):
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "3000"))
    server = receiver(
        secrets_of(os.environ.get("WEBHOOK_SECRETS", "")),
        lambda one: print(one["type"], one.get("payload", {}).get("id", ""), flush=True),
        port,
    )
    print(f"Waiting for notifications at http://127.0.0.1:{port}/hook", flush=True)
    server.serve_forever()
