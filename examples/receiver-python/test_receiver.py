import json
import threading
import unittest
import urllib.error
import urllib.request

from receiver import opened, receiver, secrets_of

SECRET = "000102030405060708090a0b0c0d0e0f" * 2
OTHER = "f" * 64
SAMPLE = {
    "iv": "000000000000000000000000",
    "tag": "CE573FB7A41AB78E743180DC83FF09BD",
    "body": "0A3471C72D9BE49A8520F79C66BBD9A12FF9",
}
TOLD = {"type": "PAYMENT"}


class ReceiverTest(unittest.TestCase):
    def test_the_published_sample_is_read_raw_and_in_json_in_either_case(self):
        self.assertEqual(opened(**SAMPLE, secrets=[SECRET]), TOLD)
        body = json.dumps({"encryptedBody": SAMPLE["body"].lower()})
        self.assertEqual(opened(**{**SAMPLE, "body": body}, secrets=[SECRET.upper()]), TOLD)

    def test_either_secret_is_taken_while_one_is_rotated_and_no_other(self):
        self.assertEqual(opened(**SAMPLE, secrets=[OTHER, SECRET]), TOLD)
        with self.assertRaises(ValueError):
            opened(**SAMPLE, secrets=[OTHER])

    def test_whatever_bit_was_flipped_it_is_refused(self):
        for part, text in SAMPLE.items():
            for bit in range(len(text) * 4):
                changed = bytearray.fromhex(text)
                changed[bit >> 3] ^= 1 << (bit & 7)
                with self.assertRaises(ValueError):
                    opened(**{**SAMPLE, part: changed.hex()}, secrets=[SECRET])

    def test_a_tag_that_was_cut_is_refused(self):
        with self.assertRaises(ValueError):
            opened(**{**SAMPLE, "tag": SAMPLE["tag"][:8]}, secrets=[SECRET])

    def test_without_a_whole_secret_nothing_is_received(self):
        for setting in ["", "abc", SECRET + ",", "g" * 64]:
            with self.assertRaisesRegex(ValueError, "64 hexadecimal digits"):
                secrets_of(setting)
        self.assertEqual(secrets_of(f"{OTHER},{SECRET}"), [OTHER, SECRET])

    def test_the_receiver_acknowledges_what_it_has_kept_and_nothing_else(self):
        kept = []
        server = receiver([SECRET], kept.append, 0)
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def call(tag):
            headers = {"X-Initialization-Vector": SAMPLE["iv"], "X-Authentication-Tag": tag}
            url = f"http://127.0.0.1:{server.server_port}/"
            try:
                with urllib.request.urlopen(urllib.request.Request(url, SAMPLE["body"].encode(), headers)) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                with error:
                    return error.code

        try:
            self.assertEqual([call(SAMPLE["tag"]), call("0" * 32)], [200, 401])
        finally:
            server.shutdown()
            server.server_close()
        self.assertEqual(kept, [TOLD])


if __name__ == "__main__":
    unittest.main()
