import { accessTokenHash, type CredentialEntry, legacyCredentialHash } from '@sluice/contracts';
import type { Form } from '@sluice/parameters';
import { AccessToken } from '@sluice/secrets';

/** A credential as it is looked up: by its keyed hash, the secret itself is gone by then. */
export interface HashedCredential {
  readonly kind: CredentialEntry['kind'];
  readonly hash: string;
}

/** What the `Authorization` header says (Interface 5). */
export type HeaderCredential =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'credential'; readonly credential: HashedCredential };

/** Longer ones are no access token of ours and not worth a hash. */
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
