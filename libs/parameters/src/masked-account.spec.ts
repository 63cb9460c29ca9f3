import { describe, expect, it } from '@jest/globals';
import { maskedAccount } from './masked-account.js';

describe('a masked account', () => {
  it.each([
    ['4200000000000075', '************0075'],
    ['12345678', '****5678'],
    ['1234567', '*******'],
    ['123', '***'],
    ['', ''],
  ])('%s is %s', (account, masked) => {
    expect(maskedAccount(account)).toBe(masked);
  });
});
