import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { randomBytes, webcrypto } from 'node:crypto';

/** A certificate and its private key (PKCS#8), both PEM. */
export interface SignedKey {
  readonly certificate: string;
  readonly key: string;
}

/** Whom a certificate is for. */
export interface CertificateWish {
  /** The subject: how Kafka calls its client. */
  readonly commonName: string;
  /** Under which a server is found. */
  readonly dnsNames?: readonly string[];
  /** Where it is found without a name. */
  readonly addresses?: readonly string[];
  /** Who it is to the other services: `spiffe://sluice/<service>` (D-45). */
  readonly uris?: readonly string[];
  readonly validDays: number;
  /** When it begins to count. */
  readonly from: Date;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The clocks of two machines differ; a certificate must not come from the future on the other. */
const CLOCK_DIFFERENCE_MS = 5 * 60 * 1_000;
/** RFC 5280 allows 20 bytes; the first bit says whether the number is negative. */
const SERIAL_BYTES = 16;
/** Elliptic keys: as good as RSA's, made at once, and every TLS 1.2 library has the curve. */
const KEYS = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** For the other kinds of certificates here. */
export const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Makes an authority, which signs certificates and nothing else. */
export async function createAuthority(
  wish: Pick<CertificateWish, 'commonName' | 'validDays' | 'from'>,
): Promise<SignedKey> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(wish),
    serialNumber: serialNumber(),
    name: `CN=${wish.commonName}`,
    signingAlgorithm: SIGNATURE,
    keys,
    extensions: [
      // No authority below it.
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pemOf(certificate), key: await keyPem(keys.privateKey) };
}

/** Makes a key and a certificate for it, good for both sides of a connection. */
export async function issueCertificate(
  authority: SignedKey,
  wish: CertificateWish,
): Promise<SignedKey> {
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(authority.certificate);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(wish),
    serialNumber: serialNumber(),
    subject: `CN=${wish.commonName}`,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await readKey(authority.key),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...alternativeNames(wish),
    ],
  });
  return { certificate: pemOf(certificate), key: await keyPem(keys.privateKey) };
}

function alternativeNames({ dnsNames = [], addresses = [], uris = [] }: CertificateWish) {
  const names = [
    ...uris.map((value) => ({ type: 'url' as const, value })),
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}

/** For the other kinds of certificates here. */
export function validity({ from, validDays }: Pick<CertificateWish, 'from' | 'validDays'>) {
  return {
    notBefore: new Date(from.getTime() - CLOCK_DIFFERENCE_MS),
    notAfter: new Date(from.getTime() + validDays * DAY_MS),
  };
}

/** For the other kinds of certificates here. */
export function serialNumber(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  // Positive, and no zero in front.
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

/** For the other kinds of certificates here. */
export function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
}

/** For the other kinds of certificates here. */
export function readKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [bytes] = x509.PemConverter.decode(pem);
  if (bytes === undefined) throw new TypeError('The authority has no private key.');
  return webcrypto.subtle.importKey('pkcs8', bytes, KEYS, false, ['sign']);
}

/** For the other kinds of certificates here. */
export async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', key);
  return `${x509.PemConverter.encode(bytes, 'PRIVATE KEY')}\n`;
}

/** For the other kinds of certificates here. */
export function pemOf(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
