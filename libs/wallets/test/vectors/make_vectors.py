"""Makes the test vectors of libs/wallets without any code of it.

Python's `cryptography` has the ciphers, curves and certificates, OpenSSL's command line the CMS
signatures, and `jwcrypto` the JWEs and JWSs. Keys are new in every run, so a new run replaces all files:

    python3 -m venv /tmp/vectors && /tmp/vectors/bin/pip install cryptography==50.0.2 jwcrypto==1.6.1
    /tmp/vectors/bin/python libs/wallets/test/vectors/make_vectors.py

`openssl` (3.0 or newer) has to be on the PATH. The published vectors (published-*.json) are not
made by it.
"""

import base64
import datetime
import hashlib
import hmac
import json
import pathlib
import struct
import subprocess
import tempfile
import uuid

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import NameOID
from jwcrypto import jwe, jwk, jws

FOLDER = pathlib.Path(__file__).parent
MARKER_LEAF = "1.2.840.113635.100.6.29"
MARKER_INTERMEDIATE = "1.2.840.113635.100.6.2.14"
MERCHANT_ID = "1.2.840.113635.100.6.32"
UTC = datetime.timezone.utc
FROM = datetime.datetime(2026, 1, 1, tzinfo=UTC)
UNTIL = datetime.datetime(2036, 1, 1, tzinfo=UTC)
NUMBER = "4111111111111111"
CRYPTOGRAM = "AgAAAAAABk4DWZ4C28yUQAAAAAA="


def b64(data):
    return base64.b64encode(data).decode()


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def spki(key):
    return key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def point(key):
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def new_ec():
    return ec.generate_private_key(ec.SECP256R1())


def new_rsa():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


# --- Apple Pay ---------------------------------------------------------------------------------


def certificate(name, key, issuer, signer, ca=False, marker=None, value=b"\x05\x00", until=UNTIL):
    def named(text):
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    builder = (
        x509.CertificateBuilder()
        .subject_name(named(name))
        .issuer_name(named(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(FROM)
        .not_valid_after(until)
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    )
    if marker is not None:
        oid = x509.ObjectIdentifier(marker)
        builder = builder.add_extension(x509.UnrecognizedExtension(oid, value), critical=False)
    return builder.sign(signer, hashes.SHA256())


def certificate_pem(made):
    return made.public_bytes(serialization.Encoding.PEM).decode()


def cms(content, leaf, leaf_key, intermediate, attached):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "content").write_bytes(content)
        (path / "leaf").write_text(certificate_pem(leaf))
        (path / "key").write_text(pem(leaf_key))
        (path / "chain").write_text(certificate_pem(intermediate))
        command = ["openssl", "cms", "-sign", "-binary", "-md", "sha256", "-nosmimecap"]
        command += ["-in", "content", "-signer", "leaf", "-inkey", "key", "-certfile", "chain"]
        command += ["-outform", "DER"] + (["-nodetach"] if attached else [])
        return subprocess.run(command, cwd=path, check=True, capture_output=True).stdout


class Chain:
    """A root, an intermediate and a leaf, each of which may be wrong in one way."""

    def __init__(self, new_key, root=None, **faults):
        self.root_key, self.root = root or self.new_root()
        intermediate_key = new_ec()
        self.intermediate = certificate(
            "Vector intermediate",
            intermediate_key,
            "Vector root",
            self.root_key,
            ca=not faults.get("intermediate_is_no_ca", False),
            marker=None if faults.get("unmarked_intermediate") else MARKER_INTERMEDIATE,
        )
        self.leaf_key = new_key()
        self.leaf = certificate(
            "Vector leaf",
            self.leaf_key,
            "Vector intermediate",
            intermediate_key if not faults.get("leaf_of_another") else new_ec(),
            marker=None if faults.get("unmarked_leaf") else MARKER_LEAF,
            until=faults.get("leaf_until", UNTIL),
        )

    @staticmethod
    def new_root():
        key = new_ec()
        return key, certificate("Vector root", key, "Vector root", key, ca=True)


class AppleMerchant:
    def __init__(self, merchant_id, new_key):
        self.merchant_id = merchant_id
        self.key = new_key()
        issuer = new_ec()
        text = hashlib.sha256(merchant_id.encode()).hexdigest().encode()
        self.certificate = certificate(
            merchant_id, self.key, "Vector merchants", issuer, marker=MERCHANT_ID,
            value=bytes([0x0C, len(text)]) + text,
        )

    def as_json(self):
        return {"certificate": certificate_pem(self.certificate), "privateKey": pem(self.key)}


def apple_plain(**more):
    return {
        "applicationPrimaryAccountNumber": NUMBER,
        "applicationExpirationDate": "281231",
        "currencyCode": "978",
        "transactionAmount": 1999,
        "cardholderName": "Vector Holder",
        "deviceManufacturerIdentifier": "040010030273",
        "paymentDataType": "3DSecure",
        "paymentData": {"onlinePaymentCryptogram": CRYPTOGRAM, "eciIndicator": "7"},
        **more,
    }


def apple_token(merchant, chain, plain, application_data=None, attached=False):
    transaction_id = hashlib.sha256(uuid.uuid4().bytes).digest()
    application = hashlib.sha256(application_data).digest() if application_data else b""
    header = {}
    if isinstance(merchant.key, ec.EllipticCurvePrivateKey):
        version, ephemeral = "EC_v1", new_ec()
        sealed_key, name = spki(ephemeral), "ephemeralPublicKey"
        shared = ephemeral.exchange(ec.ECDH(), merchant.key.public_key())
        info = b"\x0did-aes256-GCM" + b"Apple" + hashlib.sha256(merchant.merchant_id.encode()).digest()
        key = ConcatKDFHash(hashes.SHA256(), 32, info).derive(shared)
    else:
        version, name = "RSA_v1", "wrappedKey"
        key = AESGCM.generate_key(128)
        oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
        sealed_key = merchant.key.public_key().encrypt(key, oaep)
    data = AESGCM(key).encrypt(bytes(16), compact(plain).encode(), None)
    header[name] = b64(sealed_key)
    header["publicKeyHash"] = b64(hashlib.sha256(spki(merchant.key)).digest())
    header["transactionId"] = transaction_id.hex()
    if application:
        header["applicationData"] = application.hex()
    signed = sealed_key + data + transaction_id + application
    signature = cms(signed, chain.leaf, chain.leaf_key, chain.intermediate, attached)
    token = {"version": version, "data": b64(data), "signature": b64(signature), "header": header}
    return compact(token)


def apple_vectors():
    elliptic, other = AppleMerchant("merchant.vector.elliptic", new_ec), AppleMerchant("merchant.other", new_ec)
    by_rsa = AppleMerchant("merchant.vector.rsa", new_rsa)
    chain, rsa_chain = Chain(new_ec), None
    root = (chain.root_key, chain.root)
    rsa_chain = Chain(new_rsa, root)
    yesterday = datetime.datetime.now(UTC) - datetime.timedelta(days=1)
    plain = apple_plain()
    bare = apple_plain()
    del bare["cardholderName"], bare["paymentData"]["eciIndicator"]
    emv = apple_plain(paymentDataType="EMV", paymentData={"emvData": b64(b"emv"), "encryptedPINData": "00"})
    opened = {
        "elliptic curves": apple_token(elliptic, chain, plain),
        "elliptic curves, application data": apple_token(elliptic, chain, plain, b"order 1"),
        "elliptic curves, no holder and no indicator": apple_token(elliptic, chain, bare),
        "RSA": apple_token(by_rsa, rsa_chain, plain),
    }
    refused = {
        "otherMerchant": {"another merchant's key": apple_token(other, chain, plain)},
        "unsupported": {"chip data": apple_token(elliptic, chain, emv)},
        "expired": {"a leaf of yesterday": apple_token(elliptic, Chain(new_ec, root, leaf_until=yesterday), plain)},
        "unreadable": {
            "a signature with its contents": apple_token(elliptic, chain, plain, attached=True),
            "no number": apple_token(elliptic, chain, apple_plain(applicationPrimaryAccountNumber="12ab")),
            "a thirteenth month": apple_token(elliptic, chain, apple_plain(applicationExpirationDate="281301")),
            "half a cent": apple_token(elliptic, chain, apple_plain(transactionAmount=0.5)),
        },
        "wrongChain": {
            "another root of the same name": apple_token(elliptic, Chain(new_ec), plain),
            "a leaf that is not marked": apple_token(elliptic, Chain(new_ec, root, unmarked_leaf=True), plain),
            "an intermediate that is not marked": apple_token(
                elliptic, Chain(new_ec, root, unmarked_intermediate=True), plain
            ),
            "an intermediate that is no authority": apple_token(
                elliptic, Chain(new_ec, root, intermediate_is_no_ca=True), plain
            ),
            "a leaf that another has signed": apple_token(elliptic, Chain(new_ec, root, leaf_of_another=True), plain),
            "RSA signs for elliptic curves": apple_token(elliptic, rsa_chain, plain),
        },
    }
    return {
        "now": datetime.datetime.now(UTC).isoformat(timespec="seconds"),
        "root": certificate_pem(chain.root),
        "withoutId": {"certificate": certificate_pem(chain.leaf), "privateKey": pem(chain.leaf_key)},
        "merchants": [elliptic.as_json(), by_rsa.as_json()],
        "opened": opened,
        "refused": refused,
    }


# --- Google Pay --------------------------------------------------------------------------------


def framed(*parts):
    return b"".join(struct.pack("<I", len(part)) + part for part in parts)


def google_sign(key, *parts):
    return b64(key.sign(framed(*(part.encode() for part in parts)), ec.ECDSA(hashes.SHA256())))


def milliseconds(hours):
    moment = datetime.datetime(2026, 11, 24, 12, tzinfo=UTC) + datetime.timedelta(hours=hours)
    return str(int(moment.timestamp() * 1000))


def google_plain(method="PAN_ONLY", hours=1, merchant="shop-1", **more):
    details = {"authMethod": method, "pan": NUMBER, "expirationMonth": 12, "expirationYear": 2028}
    if method == "CRYPTOGRAM_3DS":
        details |= {"cryptogram": CRYPTOGRAM, "eciIndicator": "05"}
    return {
        "gatewayMerchantId": merchant,
        "messageExpiration": milliseconds(hours),
        "messageId": "AH2Ejtc" + uuid.uuid4().hex,
        "paymentMethod": "CARD",
        "paymentMethodDetails": details | more,
    }


def google_token(root, recipient, plain, recipient_id="gateway:vector", key_hours=24, signer=None):
    intermediate = new_ec()
    signed_key = compact({"keyValue": b64(spki(intermediate)), "keyExpiration": milliseconds(key_hours)})
    ephemeral = new_ec()
    shared = ephemeral.exchange(ec.ECDH(), recipient.public_key())
    keys = HKDF(hashes.SHA256(), 64, bytes(32), b"Google").derive(point(ephemeral) + shared)
    encryptor = Cipher(algorithms.AES(keys[:32]), modes.CTR(bytes(16))).encryptor()
    encrypted = encryptor.update(compact(plain).encode()) + encryptor.finalize()
    message = compact({
        "encryptedMessage": b64(encrypted),
        "ephemeralPublicKey": b64(point(ephemeral)),
        "tag": b64(hmac.new(keys[32:], encrypted, hashlib.sha256).digest()),
    })
    return compact({
        "signature": google_sign(signer or intermediate, "Google", recipient_id, "ECv2", message),
        "intermediateSigningKey": {
            "signedKey": signed_key,
            "signatures": [google_sign(root, "Google", "ECv2", signed_key)],
        },
        "protocolVersion": "ECv2",
        "signedMessage": message,
    })


def google_vectors():
    root, other_root, old_root = new_ec(), new_ec(), new_ec()
    recipient, other = new_ec(), new_ec()
    plain = google_plain()
    cryptogram = google_plain("CRYPTOGRAM_3DS")
    bare = google_plain("CRYPTOGRAM_3DS")
    del bare["paymentMethodDetails"]["eciIndicator"]
    return {
        "now": "2026-11-24T12:00:00+00:00",
        "recipientId": "gateway:vector",
        "gatewayMerchantIds": ["shop-1"],
        "privateKeys": [pem(recipient)],
        "rootSigningKeys": compact({"keys": [
            {"keyValue": b64(spki(old_root)), "protocolVersion": "ECv2", "keyExpiration": milliseconds(-1)},
            {"keyValue": b64(spki(other_root)), "protocolVersion": "ECv1"},
            {"keyValue": b64(spki(root)), "protocolVersion": "ECv2", "keyExpiration": milliseconds(48)},
        ]}),
        "opened": {
            "number only": google_token(root, recipient, plain),
            "with a cryptogram": google_token(root, recipient, cryptogram),
            "with a cryptogram and no indicator": google_token(root, recipient, bare),
        },
        "refused": {
            "expired": {
                "a message of an hour ago": google_token(root, recipient, google_plain(hours=-1)),
                "a message of this instant": google_token(root, recipient, google_plain(hours=0)),
                "an intermediate key of an hour ago": google_token(root, recipient, plain, key_hours=-1),
            },
            "otherMerchant": {
                "another merchant of the gateway": google_token(root, recipient, google_plain(merchant="shop-2")),
            },
            "altered": {
                "another gateway": google_token(root, recipient, plain, recipient_id="gateway:other"),
                "signed by the root itself": google_token(root, recipient, plain, signer=root),
            },
            "unknownKey": {"encrypted for another key": google_token(root, other, plain)},
            "wrongChain": {
                "a root of another version": google_token(other_root, recipient, plain),
                "a root whose time is over": google_token(old_root, recipient, plain),
                "a root that nobody knows": google_token(new_ec(), recipient, plain),
            },
            "unsupported": {"another method": google_token(root, recipient, google_plain("OTHER"))},
            "unreadable": {"a number with letters": google_token(root, recipient, google_plain(pan="4111x"))},
        },
    }


# --- Samsung Pay -------------------------------------------------------------------------------


def samsung_plain(minutes=0, **more):
    moment = datetime.datetime(2026, 11, 24, 12, tzinfo=UTC) + datetime.timedelta(minutes=minutes)
    return {
        "amount": "1999",
        "currency_code": "EUR",
        "utc": str(int(moment.timestamp() * 1000)),
        "eci_indicator": "5",
        "tokenPAN": NUMBER,
        "tokenPanExpiration": "1228",
        "cryptogram": CRYPTOGRAM,
        **more,
    }


def samsung_token(key, plain, algorithm="RSA1_5", encryption="A128GCM", kid=None, **more):
    header = {
        "alg": algorithm,
        "kid": kid or b64(hashlib.sha256(spki(key)).digest()),
        "typ": "JOSE",
        "channelSecurityContext": "RSA_PKI",
        "enc": encryption,
        **more,
    }
    token = jwe.JWE(compact(plain).encode(), json.dumps(header))
    token.allowed_algs = [algorithm, encryption]
    token.add_recipient(jwk.JWK.from_pem(key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )))
    return token.serialize(compact=True)


def samsung_vectors():
    key, other = new_rsa(), new_rsa()
    kid = b64(hashlib.sha256(spki(key)).digest())
    plain = samsung_plain()
    return {
        "now": "2026-11-24T12:00:00+00:00",
        "keys": [{"keyId": kid, "privateKey": pem(key)}],
        "opened": {
            "RSA1_5 and A128GCM": samsung_token(key, plain),
            "RSA-OAEP and A256GCM": samsung_token(key, plain, "RSA-OAEP", "A256GCM"),
            "RSA-OAEP and A128GCM": samsung_token(key, plain, "RSA-OAEP", "A128GCM"),
        },
        "refused": {
            "expired": {"eleven minutes ago": samsung_token(key, samsung_plain(-11))},
            "early": {"in eleven minutes": samsung_token(key, samsung_plain(11))},
            "otherMerchant": {"another key": samsung_token(other, plain)},
            "altered": {"for another key under our name": samsung_token(other, plain, kid=kid)},
            "unsupported": {
                "another algorithm": samsung_token(key, plain, "RSA-OAEP-256"),
                "another cipher": samsung_token(key, plain, "RSA-OAEP", "A128CBC-HS256"),
            },
            "unreadable": {
                "an amount with a comma": samsung_token(key, samsung_plain(amount="19,99")),
                "a thirteenth month": samsung_token(key, samsung_plain(tokenPanExpiration="1328")),
            },
        },
    }


# --- Click to Pay ------------------------------------------------------------------------------

DPA = "dpa-corner-shop"
ISSUER = "https://src.example"
DYNAMIC = {"dynamicDataType": "CARD_APPLICATION_CRYPTOGRAM_LONG_FORM", "dynamicDataValue": CRYPTOGRAM}
NETWORK_TOKEN = {
    "token": {"paymentToken": NUMBER, "tokenExpirationMonth": "12", "tokenExpirationYear": "2028"},
    "dynamicData": [{"dynamicDataType": "DYNAMIC_CARD_SECURITY_CODE", "dynamicDataValue": "123"}, DYNAMIC],
}
OWN_CARD = {
    "card": {
        "primaryAccountNumber": NUMBER,
        "panExpirationMonth": "12",
        "panExpirationYear": "2028",
        "cardholderFullName": "Jane Jones",
    },
}


def public_jwk(key):
    return jwk.JWK.from_pem(key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    ))


def src_payload(recipient, contents=NETWORK_TOKEN, algorithm="RSA-OAEP-256", encryption="A256GCM", kid="dpa-1"):
    token = jwe.JWE(compact(contents).encode(), json.dumps({"alg": algorithm, "enc": encryption, "kid": kid}))
    token.allowed_algs = [algorithm, encryption]
    token.add_recipient(public_jwk(recipient))
    return token.serialize(compact=True)


def src_claims(sealed, minutes=0, **more):
    moment = datetime.datetime(2026, 11, 24, 12, tzinfo=UTC) + datetime.timedelta(minutes=minutes)
    made = int(moment.timestamp())
    claims = {
        "iss": ISSUER,
        "iat": made,
        "exp": made + 600,
        "srcDpaId": DPA,
        "srcCorrelationId": "5c54b8e8-7f0f-4a3e-9d3e-000000000001",
        "srciTransactionId": "5c54b8e8-7f0f-4a3e-9d3e-000000000002",
        "maskedCard": {"panLastFour": "1111"},
        "assuranceData": {"eci": "5"},
        "transactionAmount": {"transactionAmount": "19.99", "transactionCurrencyCode": "EUR"},
        "encryptedPayload": sealed,
        **more,
    }
    return {name: value for name, value in claims.items() if value is not None}


def src_response(key, claims, algorithm="RS256", kid=None, **more):
    token = jws.JWS(compact(claims).encode())
    token.allowed_algs = [algorithm]
    header = {"alg": algorithm, "kid": kid or algorithm, **more}
    token.add_signature(key, protected=json.dumps(header))
    return token.serialize(compact=True)


def click_to_pay_vectors():
    rsa_key, ec_key = jwk.JWK.from_pem(pem(new_rsa()).encode()), jwk.JWK.from_pem(pem(new_ec()).encode())
    stranger = jwk.JWK.from_pem(pem(new_rsa()).encode())
    recipient, other = new_rsa(), new_rsa()
    sealed = src_payload(recipient)

    def of(**more):
        return src_response(rsa_key, src_claims(more.pop("sealed", sealed), **more))

    def public(key, kid, **more):
        return {**json.loads(key.export_public()), "kid": kid, **more}

    def unpadded(value):
        return base64.urlsafe_b64encode(compact(value).encode()).decode().rstrip("=")

    unsigned = f'{unpadded({"alg": "none", "kid": "RS256"})}.{unpadded(src_claims(sealed))}.'
    secret = jwk.JWK(kty="oct", k=base64.urlsafe_b64encode(rsa_key.export_to_pem()).decode().rstrip("="))
    amount = {"transactionAmount": "19,99", "transactionCurrencyCode": "EUR"}
    return {
        "now": "2026-11-24T12:00:00+00:00",
        "srcDpaId": DPA,
        "keys": [{"keyId": "dpa-1", "privateKey": pem(recipient)}],
        "systems": [
            {"issuer": "https://other.example", "keys": {"keys": [public(stranger, "other")]}},
            {
                "issuer": ISSUER,
                "keys": {
                    "keys": [
                        public(rsa_key, "RS256"),
                        public(rsa_key, "PS256"),
                        public(rsa_key, "RS256 only", alg="RS256"),
                        public(ec_key, "ES256", alg="ES256"),
                    ]
                },
            },
        ],
        "opened": {
            "RS256 and a token of a network": of(),
            "PS256": src_response(rsa_key, src_claims(sealed), "PS256"),
            "ES256": src_response(ec_key, src_claims(sealed), "ES256"),
            "its own number, for another amount": of(
                sealed=src_payload(recipient, OWN_CARD), transactionAmount=None, assuranceData=None
            ),
            "for an audience, of no transaction": of(srcDpaId=None, aud=DPA, srciTransactionId=None),
        },
        "refused": {
            "expired": {"an end that is over": of(minutes=-10), "made long ago": of(minutes=-60, exp=2_000_000_000)},
            "early": {"in six minutes": of(minutes=6)},
            "otherMerchant": {
                "another DPA": of(srcDpaId="dpa-other"),
                "another DPA, and we as its audience": of(srcDpaId="dpa-other", aud=DPA),
                "no DPA": of(srcDpaId=None),
            },
            "wrongChain": {
                "a key that nobody knows": src_response(stranger, src_claims(sealed), kid="stranger"),
                "another system's key": src_response(stranger, src_claims(sealed), kid="other"),
                "no issuer": of(iss=None),
            },
            "altered": {
                "signed by a stranger under a known name": src_response(stranger, src_claims(sealed), kid="RS256"),
                "an algorithm that is not the key's": src_response(
                    rsa_key, src_claims(sealed), "PS256", kid="RS256 only"
                ),
                "the algorithm of another kind of key": src_response(
                    rsa_key, src_claims(sealed), "RS256", kid="ES256"
                ),
                "sealed for another key under our name": of(sealed=src_payload(other)),
            },
            "unknownKey": {"sealed for another key": of(sealed=src_payload(other, kid="dpa-2"))},
            "unsupported": {
                "no signature": unsigned,
                "signed with what is public": src_response(secret, src_claims(sealed), "HS256", kid="RS256"),
                "an extension that must be understood": src_response(
                    rsa_key, src_claims(sealed), b64=True, crit=["b64"]
                ),
                "another algorithm of the seal": of(sealed=src_payload(recipient, algorithm="RSA-OAEP")),
                "another cipher": of(sealed=src_payload(recipient, encryption="A128GCM")),
            },
            "unreadable": {
                "no card in it": of(sealed=None),
                "no end": of(exp=None),
                "an amount with a comma": of(transactionAmount=amount),
                "a token of a network without its proof": of(
                    sealed=src_payload(recipient, {**NETWORK_TOKEN, "dynamicData": []})
                ),
                "two cards": of(sealed=src_payload(recipient, {**NETWORK_TOKEN, **OWN_CARD})),
                "no card in the seal": of(sealed=src_payload(recipient, {})),
            },
        },
    }


if __name__ == "__main__":
    for name, made in [
        ("apple-pay", apple_vectors()), ("google-pay", google_vectors()), ("samsung-pay", samsung_vectors()),
        ("click-to-pay", click_to_pay_vectors()),
    ]:
        (FOLDER / f"{name}.json").write_text(json.dumps(made, indent=2) + "\n")
