import { describe, expect, it } from '@jest/globals';
import type { KeyProvider } from '@sluice/service';
import { createSecretKey, randomBytes } from 'node:crypto';
import { newPersonalKey, openPersonal, sealPersonal, unwrapPersonalKey } from './personal-data.js';

/** Remembers what it wrapped under which context; real providers are tested in their library. */
const keys: KeyProvider = {
  currentVersion: () => '1',
  hasVersion: () => true,
  wrap: async (key, context) => ({
    version: '1',
    wrapped: Buffer.concat([key, Buffer.from(context)]),
  }),
  unwrap: async (wrapped, context) => {
    if (wrapped.subarray(32).toString() !== context) throw new Error('another context');
    return Buffer.from(wrapped.subarray(0, 32));
  },
};
const personal = { 'customer.givenName': 'Zoë', 'customer.surname': 'Doe' };

describe('personal data', () => {
  it('opens with the key of its payment, for its transaction', async () => {
    const { key, wrapped } = await newPersonalKey(keys, 'stream');
    const block = sealPersonal(key, 'transaction', personal);
    const again = await unwrapPersonalKey(keys, 'stream', wrapped);
    expect(openPersonal(again, 'transaction', block)).toEqual(personal);
  });
  it('opens for no other transaction, stream, key or content', async () => {
    const { key, wrapped } = await newPersonalKey(keys, 'stream');
    const block = sealPersonal(key, 'transaction', personal);
    expect(() => openPersonal(key, 'other', block)).toThrow();
    expect(() => openPersonal(createSecretKey(randomBytes(32)), 'transaction', block)).toThrow();
    const altered = Buffer.from(block, 'base64');
    altered[15] = (altered[15] ?? 0) ^ 1;
    expect(() => openPersonal(key, 'transaction', altered.toString('base64'))).toThrow();
    await expect(unwrapPersonalKey(keys, 'other stream', wrapped)).rejects.toThrow();
  });
  it('shows nothing in clear, and never the same block twice', () => {
    const key = createSecretKey(randomBytes(32));
    const block = sealPersonal(key, 'transaction', personal);
    expect(Buffer.from(block, 'base64').toString()).not.toContain('Doe');
    expect(sealPersonal(key, 'transaction', personal)).not.toBe(block);
  });
});
