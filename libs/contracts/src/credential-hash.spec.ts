import { describe, expect, it } from '@jest/globals';
import { AccessToken } from '@sluice/secrets';
import { accessTokenHash, legacyCredentialHash } from './credential-hash.js';

const key = Buffer.alloc(32, 7);
const legacy = (userId: string, password: string) =>
  legacyCredentialHash(key, { userId, password: new AccessToken(password) });

describe('credential hashes', () => {
  it('are 64 hex digits and do not contain the credential', () => {
    const hash = accessTokenHash(key, new AccessToken('abcdef'));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toContain('abcdef');
  });

  it('depend on the key', () => {
    const token = new AccessToken('abc');
    expect(accessTokenHash(Buffer.alloc(32, 8), token)).not.toBe(accessTokenHash(key, token));
  });

  it('tell every cut between user and password apart', () => {
    expect(legacy('a:b', 'c')).not.toBe(legacy('a', 'b:c'));
  });

  it('never let a legacy credential pass as an access token', () => {
    expect(accessTokenHash(key, new AccessToken('1:u:p'))).not.toBe(legacy('u', 'p'));
  });
});
