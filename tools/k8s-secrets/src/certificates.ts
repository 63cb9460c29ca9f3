import { createAuthority, issueCertificate, type SignedKey } from '@sluice/certificates';
import { X509Certificate } from 'node:crypto';
import { type AuthorityName, type Leaf, leaves } from './leaves.js';
import type { SecretFolder } from './secret-folder.js';

/** Nobody renews it: it ends with the installation. */
export const AUTHORITY_DAYS = 3_650;
/** `--renew` costs a restart of Kafka and PostgreSQL; the most that TLS clients at large accept. */
export const LEAF_DAYS = 397;

const commonNames: Readonly<Record<AuthorityName, string>> = {
  internal: 'Sluice internal authority',
  kafka: 'Sluice Kafka authority',
};

/** What is to be made anew although it is there. */
export interface Renewal {
  /** Owners of certificates. */
  readonly owners: ReadonlySet<string>;
  /** Both authorities, and with them every certificate. */
  readonly authorities: boolean;
}

/** When what is there ends. */
export interface CertificateEnds {
  readonly authority: Date;
  /** Of the certificate that ends first. */
  readonly first: Date;
  readonly firstOwner: string;
}

/** Makes the certificates that are missing, that do not fit any more, or that are to be renewed. */
export async function ensureCertificates(
  folder: SecretFolder,
  renewal: Renewal,
  from: Date,
): Promise<CertificateEnds> {
  const authorities = {
    internal: await ensureAuthority(folder, 'internal', renewal, from),
    kafka: await ensureAuthority(folder, 'kafka', renewal, from),
  };
  const ends: { readonly owner: string; readonly end: Date }[] = [];
  for (const leaf of leaves) {
    const end = await ensureLeaf(folder, leaf, authorities[leaf.authority], { ...renewal, from });
    ends.push({ owner: leaf.owner, end });
  }
  const first = ends.reduce((before, one) => (one.end < before.end ? one : before));
  return {
    authority: endOf(authorities.internal.certificate),
    first: first.end,
    firstOwner: first.owner,
  };
}

async function ensureAuthority(
  folder: SecretFolder,
  name: AuthorityName,
  renewal: Renewal,
  from: Date,
): Promise<SignedKey> {
  const files = { certificate: `authority/${name}.crt`, key: `authority/${name}.key` };
  const [certificate, key] = [await folder.read(files.certificate), await folder.read(files.key)];
  if (certificate !== undefined && key !== undefined && !renewal.authorities) {
    await folder.found(files.certificate);
    await folder.found(files.key);
    return { certificate, key };
  }
  const validDays = AUTHORITY_DAYS;
  const made = await createAuthority({ commonName: commonNames[name], validDays, from });
  await folder.write(files.key, made.key);
  await folder.write(files.certificate, made.certificate);
  return made;
}

async function ensureLeaf(
  folder: SecretFolder,
  leaf: Leaf,
  authority: SignedKey,
  { owners, from }: Renewal & { readonly from: Date },
): Promise<Date> {
  const { files } = leaf;
  for (const file of files.authority) await folder.write(file, authority.certificate);
  const present = await folder.read(files.certificate);
  const hasKey = (await folder.read(files.key)) !== undefined;
  if (
    present !== undefined &&
    hasKey &&
    !owners.has(leaf.owner) &&
    fits(present, leaf, authority)
  ) {
    for (const file of new Set([files.key, files.certificate])) await folder.found(file);
    return endOf(present);
  }
  const { certificate, key } = await issueCertificate(authority, {
    commonName: leaf.owner,
    dnsNames: leaf.dnsNames,
    addresses: leaf.addresses ?? [],
    uris: leaf.uris,
    validDays: LEAF_DAYS,
    from,
  });
  if (files.key === files.certificate) {
    await folder.write(files.key, key + certificate);
  } else {
    await folder.write(files.key, key);
    await folder.write(files.certificate, certificate);
  }
  return endOf(certificate);
}

/** Signed by this authority, and for exactly these names: a later release may have more of them. */
function fits(pem: string, leaf: Leaf, authority: SignedKey): boolean {
  const certificate = new X509Certificate(certificateIn(pem));
  const names = [
    ...leaf.uris.map((uri) => `URI:${uri}`),
    ...leaf.dnsNames.map((name) => `DNS:${name}`),
    ...(leaf.addresses ?? []).map((address) => `IP Address:${address}`),
  ].join(', ');
  const signer = new X509Certificate(authority.certificate).publicKey;
  return certificate.verify(signer) && (certificate.subjectAltName ?? '') === names;
}

function endOf(pem: string): Date {
  return new Date(new X509Certificate(certificateIn(pem)).validTo);
}

/** A key may stand before it. */
function certificateIn(pem: string): string {
  return pem.slice(Math.max(0, pem.indexOf('-----BEGIN CERTIFICATE-----')));
}
