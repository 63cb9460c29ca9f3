import { X509Certificate } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';

/** As EMV 3-D Secure has them for `acsSignedContent`; whatever else a header names is refused, `none` first. */
const ALGORITHMS = ['ES256', 'PS256'];
/** Networks have an intermediate authority or two; a parser of certificates must not run for long. */
const CERTIFICATES_MAX = 5;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** Why what an app is to be told is not passed on, in words that follow "it". */
export type ContentFault = string;

/** What the signed content has to be of. */
export interface ContentExpected {
  /** The key of the app for this transaction, as it was sent (`sdkEphemPubKey`). */
  readonly sdkKey: unknown;
  readonly now: Date;
}

/**
 * The authorities of a card network, whose certificates sign where the app of a shopper finds the issuer, and
 * by which keys it talks to it. The SDK checks it again; here it is not passed on at all if it is forged.
 */
export class ContentAuthorities {
  private constructor(private readonly roots: readonly X509Certificate[]) {}

  /** @throws Error for a text without a certificate that can be read */
  static of(pem: string): ContentAuthorities {
    const roots = (pem.match(PEM) ?? []).map((one) => new X509Certificate(one));
    if (roots.length === 0) throw new Error('no certificate');
    return new ContentAuthorities(roots);
  }

  /** Undefined for content that the network's authority stands for, and that is of this transaction. */
  async faultIn(jws: string, expected: ContentExpected): Promise<ContentFault | undefined> {
    const leaf = this.#signer(jws, expected.now);
    if (typeof leaf === 'string') return leaf;
    try {
      const { payload } = await compactVerify(jws, leaf.publicKey, { algorithms: ALGORITHMS });
      return contentFault(JSON.parse(Buffer.from(payload).toString('utf8')), expected);
    } catch {
      return 'is not signed by its certificate, or by no algorithm of EMV';
    }
  }

  #signer(jws: string, now: Date): X509Certificate | ContentFault {
    const chain = chainIn(jws);
    const [leaf] = chain;
    if (leaf === undefined) return 'has no certificates that can be read';
    const last = chain.at(-1) ?? leaf;
    const isChained = chain.every((one, at) => {
      const issuer = chain[at + 1];
      return issuer === undefined || isIssued(one, issuer);
    });
    const root = this.roots.find((one) => last.raw.equals(one.raw) || isIssued(last, one));
    if (!isChained || root === undefined) return 'is signed by nobody whom the network stands for';
    const isNow = [...chain, root].every(
      ({ validFrom, validTo }) => new Date(validFrom) <= now && now <= new Date(validTo),
    );
    return isNow ? leaf : 'is signed by a certificate that is not valid now';
  }
}

/** The first signs the content, each is signed by the next, and the network's own may be left out. */
function chainIn(jws: string): readonly X509Certificate[] {
  try {
    const { x5c = [] } = decodeProtectedHeader(jws);
    if (x5c.length > CERTIFICATES_MAX) return [];
    return x5c.map((one) => new X509Certificate(Buffer.from(one, 'base64')));
  } catch {
    return [];
  }
}

/** A certificate that may not sign others is no issuer, whatever its name. */
function isIssued(one: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);
}

type Fields = Readonly<Record<string, unknown>>;

function contentFault(content: unknown, { sdkKey }: ContentExpected): ContentFault | undefined {
  const { acsURL, acsEphemPubKey, sdkEphemPubKey } = Object(content) as Fields;
  if (typeof acsURL !== 'string' || !URL.canParse(acsURL)) return 'names no issuer';
  if (new URL(acsURL).protocol !== 'https:') return 'names an issuer that is not reached by https';
  if (typeof acsEphemPubKey !== 'object' || acsEphemPubKey === null) return 'has no key';
  return isSameKey(sdkEphemPubKey, sdkKey) ? undefined : 'has the key of another transaction';
}

function isSameKey(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((key) => Object(key) as Fields);
  return ['kty', 'crv', 'x', 'y'].every(
    (name) => left?.[name] !== undefined && left[name] === right?.[name],
  );
}
