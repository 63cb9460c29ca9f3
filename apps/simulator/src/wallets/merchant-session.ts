import { randomBytes } from 'node:crypto';

/** How long Apple's are good for. */
const LIFE_MS = 5 * 60 * 1_000;
const ID_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** As Apple takes them: the name of a host alone. */
const DOMAIN = /^[a-z0-9.-]{1,253}$/i;
const NAME_LENGTH_MAX = 64;

/** What a page hands to its sheet, which alone reads it. */
export interface MerchantSession {
  readonly epochTimestamp: number;
  readonly expiresAt: number;
  readonly merchantSessionIdentifier: string;
  readonly nonce: string;
  readonly merchantIdentifier: string;
  readonly domainName: string;
  readonly displayName: string;
  readonly signature: string;
}

/**
 * The session for a merchant's page, as the JSON of a gateway asks for it; undefined where that is
 * incomplete. Whose certificate the gateway has is not looked at: everybody is the merchant he says.
 */
export function merchantSession(body: string, nowMs: number): MerchantSession | undefined {
  const { merchantIdentifier, displayName, initiative, initiativeContext } = fieldsOf(body);
  const isPage = initiative === 'web' && DOMAIN.test(initiativeContext ?? '');
  if (!isPage || initiativeContext === undefined || !merchantIdentifier || !displayName) {
    return undefined;
  }
  if (displayName.length > NAME_LENGTH_MAX) return undefined;
  return {
    ...{ epochTimestamp: nowMs, expiresAt: nowMs + LIFE_MS },
    merchantSessionIdentifier: randomBytes(ID_BYTES).toString('hex').toUpperCase(),
    ...{ nonce: randomBytes(4).toString('hex'), merchantIdentifier },
    ...{ domainName: initiativeContext, displayName },
    signature: randomBytes(SIGNATURE_BYTES).toString('hex'),
  };
}

function fieldsOf(body: string): Readonly<Record<string, string | undefined>> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return {};
    const texts = Object.entries(value).filter(([, text]) => typeof text === 'string');
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}
