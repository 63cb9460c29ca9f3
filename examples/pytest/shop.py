"""How a shop calls the gateway: a flat form, and a result code in the answer."""

import json
import urllib.error
import urllib.parse
import urllib.request

ENTITY_ID = "8a8294174b7ecb28014b9699220015ca"
ACCESS_TOKEN = "sluice-demo-access-token-for-sandboxes-only"

CARD = {
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}


class Shop:
    def __init__(self, url):
        self.url = url

    def pay(self, fields=None, **options):
        """Charges a card, or reserves the amount with the payment type PA."""
        wanted = {"paymentType": "DB", "amount": "92.00", "currency": "EUR", **CARD, **(fields or {})}
        return self._send("/v1/payments", wanted, **options)

    def capture(self, id, amount):
        fields = {"paymentType": "CP", "amount": amount, "currency": "EUR"}
        return self._send(f"/v1/payments/{id}", fields)

    def refund(self, id, amount):
        fields = {"paymentType": "RF", "amount": amount, "currency": "EUR"}
        return self._send(f"/v1/payments/{id}", fields)

    def find(self, order):
        """The payments with the shop's own order number."""
        query = {"entityId": ENTITY_ID, "merchantTransactionId": order}
        return self._send(f"/v1/query?{urllib.parse.urlencode(query)}")

    def _send(self, path, fields=None, idempotency_key=None, timeout=30):
        headers = {"Authorization": f"Bearer {ACCESS_TOKEN}"}
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
        body = None
        if fields:
            body = urllib.parse.urlencode({"entityId": ENTITY_ID, **fields}).encode()
        request = urllib.request.Request(self.url + path, data=body, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                return json.load(response)
        except urllib.error.HTTPError as refused:
            # A decline is an answer like any other.
            return json.load(refused)
