import { describe, expect, it } from '@jest/globals';
import type { OfferedAccount } from './offered-accounts.js';
import { besideDeleted, initialState, withoutDeleted } from './stored-form-state.js';

const account = (id: string, expiry = '05 / 34'): OfferedAccount => ({
  ...{ id, kind: 'card', brand: 'VISA', ending: '0000', expiry, holder: 'Jane Jones' },
});
const EXPIRED = '05 / 20';
const isUsable = ({ expiry }: OfferedAccount) => expiry !== EXPIRED;
const [a, b, c] = [account('a', EXPIRED), account('b'), account('c')] as const;
const state = initialState([a, b, c], isUsable);

describe('the form of stored accounts', () => {
  it('has chosen the first that can be paid with', () => {
    expect(state.chosen).toBe('b');
    expect(initialState([a], isUsable).chosen).toBeUndefined();
  });

  it('is without one that was deleted, and says so', () => {
    const typed = { ...state, code: { isEmpty: false, isValid: true } };
    const left = withoutDeleted(typed, 'a', isUsable);
    expect(left).toMatchObject({ accounts: [b, c], chosen: 'b', isDeleted: true });
    expect(left.code).toEqual({ isEmpty: false, isValid: true });
  });

  it('chooses another one where the chosen one was deleted, and has no code of it', () => {
    const typed = { ...state, code: { isEmpty: false, isValid: true } };
    const left = withoutDeleted(typed, 'b', isUsable);
    expect(left).toMatchObject({ accounts: [a, c], chosen: 'c', code: { isEmpty: true } });
    expect(withoutDeleted(left, 'c', isUsable)).toMatchObject({ accounts: [a], chosen: undefined });
  });

  it('goes on with what stands in its place, or before it', () => {
    expect(besideDeleted([a, b, c], 'b')).toBe('c');
    expect(besideDeleted([a, b, c], 'c')).toBe('b');
    expect(besideDeleted([a], 'a')).toBeUndefined();
  });
});
