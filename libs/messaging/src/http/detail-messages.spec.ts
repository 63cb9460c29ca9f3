import { describe, expect, it } from '@jest/globals';
import type { TokenToOpen } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import {
  detailsMessage,
  readDetailsMessage,
  readTokenMessage,
  tokenMessage,
} from './detail-messages.js';

const toOpen: TokenToOpen = {
  ...{ wallet: 'clickToPay', usedBy: 'request-1', brand: 'VISA', transaction: 'one' },
  toHold: { kind: 'wallet', details: { 'clickToPay.paymentToken': new Detail('token') } },
  ...{ amount: { minor: '9200', currency: 'EUR' }, entityIds: ['a' as EntityId] },
};
const sent = (changes: object = {}): unknown =>
  JSON.parse(JSON.stringify({ ...tokenMessage(toOpen), ...changes }));

describe('a token that is sent to the vault', () => {
  it('arrives with all that is said of it', () => {
    const read = readTokenMessage(sent());
    expect(read).toMatchObject({ ...toOpen, toHold: { kind: 'wallet' } });
    expect(read?.toHold.details['clickToPay.paymentToken']?.reveal()).toBe('token');
  });

  it.each([
    { wallet: 'payPal' },
    { usedBy: 1 },
    { amount: '92.00' },
    { entityIds: 'a' },
    { brand: 1 },
    { transaction: 1 },
    { toHold: { kind: 'wallet' } },
  ])('is none with %j', (changes) => {
    expect(readTokenMessage(sent(changes))).toBeUndefined();
  });
});

describe('an account that is sent to the vault', () => {
  const details = { 'bankAccount.number': new Detail('12345') };
  const bank = { country: 'US', code: '021000021', bic: 'BANKUS33' };
  const read = (changes: object) => {
    const message = { ...detailsMessage({ kind: 'bankAccount', details, bank }), ...changes };
    return readDetailsMessage(JSON.parse(JSON.stringify(message)));
  };

  it('arrives with its bank', () => {
    expect(read({})?.bank).toEqual(bank);
    expect(read({ bank: { bic: 'BANKUS33' } })?.bank).toEqual({ bic: 'BANKUS33' });
    expect(read({ bank: undefined })).not.toHaveProperty('bank');
  });

  it.each([{ bank: 'BANKUS33' }, { bank: null }, { bank: { code: 1 } }])(
    'is none with %j',
    (bank) => {
      expect(read(bank)).toBeUndefined();
    },
  );
});
