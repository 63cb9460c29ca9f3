import { accessTokenHash, type CredentialEntry, legacyCredentialHash } from '@sluice/contracts';
import type { Form } from '@sluice/parameters';
import { AccessToken } from '@sluice/secrets';

/** A credential as it is looked up: only its keyed hash, no longer the secret itself. */
export interface HashedCredential {
  readonly kind: CredentialEntry['kind'];
  readonly hash: string;
}

/** What the `Authorization` header says (Interface 5). */
export type HeaderCredential =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'credential'; readonly credential: HashedCredential };

/** Longer values cannot be access tokens and are not hashed. */
const HEADER_CHARACTERS_MAX = 4096;

/** `Bearer` in any case and any number of spaces: some shops keep the whole value in a setting. */
const BEARER = /^ *[Bb][Ee][Aa][Rr][Ee][Rr] +([!-~]+) *$/;

/** Reads the header; a scheme other than Bearer or an empty token is malformed (401). */
export function headerCredential(header: string | undefined, key: Buffer): HeaderCredential {
  if (header === undefined) {
    return { kind: 'absent' };
  }
  const token = header.length <= HEADER_CHARACTERS_MAX ? BEARER.exec(header)?.[1] : undefined;
  if (token === undefined) {
    return { kind: 'malformed' };
  }
  const hash = accessTokenHash(key, new AccessToken(token));
  return { kind: 'credential', credential: { kind: 'accessToken', hash } };
}

/** The legacy credential in a form (wire contract D1); undefined unless both halves are there. */
export function legacyCredential(form: Form, key: Buffer): HashedCredential | undefined {
  const userId = form.get('authentication.userId');
  const password = form.get('authentication.password');
  if (userId === undefined || password === undefined) {
    return undefined;
  }
  const hash = legacyCredentialHash(key, { userId, password: new AccessToken(password) });
  return { kind: 'legacy', hash };
}

const USER_ID = 'authentication.userId';
const PASSWORD = 'authentication.password';
/** Longer values cannot be credentials. */
const VALUE_BYTES_MAX = 1024;
const AMPERSAND = '&'.charCodeAt(0);

/**
 * What may be the legacy credential, found in the bytes of query and body without parsing them, to
 * decide whether parsing is worthwhile. No client escapes the letters or dots of a name. If query
 * and body contradict each other, parsing finds that out.
 */
export function legacyCandidates(
  url: string,
  body: Buffer | undefined,
  key: Buffer,
): readonly HashedCredential[] {
  const mark = url.indexOf('?');
  const query = mark === -1 ? undefined : Buffer.from(url.slice(mark + 1), 'latin1');
  return [
    [query, body],
    [body, query],
  ].flatMap(([first, second]) => {
    const userId = valueIn(first, USER_ID) ?? valueIn(second, USER_ID);
    const password = valueIn(first, PASSWORD) ?? valueIn(second, PASSWORD);
    if (userId === undefined || password === undefined) return [];
    const hash = legacyCredentialHash(key, { userId, password: new AccessToken(password) });
    return [{ kind: 'legacy', hash }];
  });
}

/** The value after the first `name=` at the beginning of the form or of one of its parameters. */
function valueIn(form: Buffer | undefined, name: string): string | undefined {
  if (form === undefined) {
    return undefined;
  }
  const sought = `${name}=`;
  let at = form.indexOf(sought);
  while (at > 0 && form[at - 1] !== AMPERSAND) {
    at = form.indexOf(sought, at + sought.length);
  }
  if (at === -1) {
    return undefined;
  }
  const start = at + sought.length;
  const piece = form.subarray(start, start + VALUE_BYTES_MAX);
  const end = piece.indexOf(AMPERSAND);
  return unescaped(piece.subarray(0, end === -1 ? piece.length : end).toString('utf8'));
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
