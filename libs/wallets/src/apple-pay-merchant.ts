import { AsnParser } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { Buffer } from 'node:buffer';
import type { X509Certificate } from 'node:crypto';
import { exactBytes } from './token-text.js';

const MERCHANT_IDENTIFIER = '1.2.840.113635.100.6.32';
/** A text and its length, in front of the text itself. */
const TEXT_HEADER_BYTES = 2;
const HASH_BYTES = 32;

/**
 * The SHA-256 of the merchant's id, which Apple writes into the certificate in hex.
 * @throws when the certificate has none: it is not one of payment processing.
 */
export function merchantIdHash(certificate: X509Certificate): Buffer {
  const { tbsCertificate } = AsnParser.parse(certificate.raw, Certificate);
  const found = tbsCertificate.extensions?.find(({ extnID }) => extnID === MERCHANT_IDENTIFIER);
  const text = Buffer.from(found?.extnValue.buffer ?? new ArrayBuffer(0))
    .subarray(TEXT_HEADER_BYTES)
    .toString('latin1')
    .toLowerCase();
  const hash = exactBytes(text, 'hex');
  if (hash?.length !== HASH_BYTES) {
    throw new TypeError(
      "The certificate has no merchant's id: is it the one of payment processing?",
    );
  }
  return hash;
}
