import { X509Certificate } from 'node:crypto';

/** Whose results are taken: certificates with one of these names, of one of these authorities. */
export interface ResultSenders {
  readonly names: readonly string[];
  /** PEM, one after another; absent: whichever the port for results trusts. */
  readonly authorities?: string;
}

/** A root, what it has signed, and what that has; networks have no more. */
const CHAIN_LENGTH_MAX = 5;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/**
 * Whether a certificate is one of these. It was checked by TLS, but against the authorities of all networks: so
 * the network's own is looked for above it, by signatures, since a sender may add any certificate to his chain.
 */
export function isOneOf(certificate: X509Certificate, senders: ResultSenders): boolean {
  const names = namesIn(certificate);
  const isNamed = senders.names.some((name) => names.has(name.toLowerCase()));
  return (
    isNamed && (senders.authorities === undefined || isBelow(certificate, senders.authorities))
  );
}

/** Undefined where a text is no certificates. */
export function authoritiesIn(pem: string): readonly X509Certificate[] | undefined {
  try {
    const found = (pem.match(PEM) ?? []).map((text) => new X509Certificate(text));
    return found.length > 0 ? found : undefined;
  } catch {
    return undefined;
  }
}

function isBelow(certificate: X509Certificate, pem: string): boolean {
  const authorities = authoritiesIn(pem) ?? [];
  let current: X509Certificate | undefined = certificate;
  for (let above = 0; above < CHAIN_LENGTH_MAX && current !== undefined; above += 1) {
    const below: X509Certificate = current;
    if (authorities.some((authority) => isSigned(below, authority))) return true;
    const issuer: X509Certificate | undefined = below.issuerCertificate;
    current = issuer !== undefined && isSigned(below, issuer) ? issuer : undefined;
  }
  return false;
}

function isSigned(certificate: X509Certificate, by: X509Certificate): boolean {
  return certificate.checkIssued(by) && certificate.verify(by.publicKey);
}

/**
 * Its alternative names of the web, and the name of its subject, in small letters. Node quotes alternative names
 * with characters that could end them, so a quoted one is never taken for another.
 */
function namesIn({ subjectAltName = '', subject }: X509Certificate): ReadonlySet<string> {
  const alternative = subjectAltName.split(', ').flatMap((entry) => {
    const [, name] = /^(?:DNS|URI):(.+)$/u.exec(entry) ?? [];
    return name === undefined ? [] : [name];
  });
  const common = subject.split('\n').filter((line) => line.startsWith('CN='));
  // Several are nobody's.
  const own = common.length === 1 ? common.map((line) => line.slice('CN='.length)) : [];
  return new Set([...alternative, ...own].map((name) => name.toLowerCase()));
}
