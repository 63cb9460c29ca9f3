import pytest

APPROVED = "000.100.110"
REFUSED_BY_THE_BANK = "800.100.155"
NOT_FOUND = "700.400.580"


def test_an_order_is_paid_when_it_is_shipped_and_partly_given_back(shop):
    order = shop.pay({"paymentType": "PA", "merchantTransactionId": "order-0001"})
    assert order["result"]["code"] == APPROVED

    shipped = shop.capture(order["id"], "92.00")
    assert shipped["result"]["code"] == APPROVED

    returned = shop.refund(shipped["id"], "10.00")
    assert returned["result"]["code"] == APPROVED
    assert returned["amount"] == "10.00"


def test_nothing_more_is_given_back_than_was_paid(shop):
    paid = shop.pay()
    assert shop.refund(paid["id"], "92.01")["result"]["code"] == "700.400.200"


def test_a_card_may_be_declined(shop):
    declined = shop.pay({"customParameters[forceResultCode]": REFUSED_BY_THE_BANK})
    assert declined["result"]["code"] == REFUSED_BY_THE_BANK


def test_a_payment_that_timed_out_is_repeated_and_paid_once(shop):
    slow = {"customParameters[simulator.fault]": "delay:1500"}
    with pytest.raises(TimeoutError):
        shop.pay(slow, idempotency_key="order-1", timeout=0.5)

    paid = shop.pay(slow, idempotency_key="order-1")
    assert paid["result"]["code"] == APPROVED
    again = shop.pay(slow, idempotency_key="order-1")
    assert again["id"] == paid["id"]


def test_every_test_begins_with_an_empty_sandbox(shop):
    assert shop.find("order-0001")["result"]["code"] == NOT_FOUND
