import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import {
  type CertificateWish,
  keyPem,
  newKeys,
  pemOf,
  readKey,
  serialNumber,
  SIGNATURE,
  type SignedKey,
  validity,
} from './certificate.js';

/** An extension by which a scheme knows its certificates, which no other program understands. */
export interface Mark {
  /** An object identifier, with dots. */
  readonly type: string;
  /** DER. */
  readonly value: Uint8Array;
}

/** What a certificate is to be that belongs to a scheme of its own. */
export interface MarkedWish extends Pick<CertificateWish, 'commonName' | 'validDays' | 'from'> {
  /** Who signs it; absent: it signs itself. */
  readonly issuer?: SignedKey;
  readonly isAuthority: boolean;
  readonly marks?: readonly Mark[];
}

/** Makes a key and a certificate with the marks of a scheme. */
export async function createMarkedCertificate(wish: MarkedWish): Promise<SignedKey> {
  const { commonName, issuer, isAuthority, marks = [] } = wish;
  const keys = await newKeys();
  const subject = `CN=${commonName}`;
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(wish),
    serialNumber: serialNumber(),
    subject,
    issuer: issuer === undefined ? subject : new x509.X509Certificate(issuer.certificate).subject,
    publicKey: keys.publicKey,
    signingKey: issuer === undefined ? keys.privateKey : await readKey(issuer.key),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      ...marks.map(({ type, value }) => new x509.Extension(type, false, new Uint8Array(value))),
    ],
  });
  return { certificate: pemOf(certificate), key: await keyPem(keys.privateKey) };
}
