import { describe, expect, it } from '@jest/globals';
import { instrumentKinds, instruments } from '@sluice/contracts';
import { catalogueEntries, meaningOf } from './catalogue.js';
import { Form } from './form.js';
import { detailsToHold, isUnstorable } from './held-details.js';
import { newPaymentKinds } from './kinds.js';

/** A form with every parameter that has no brackets. */
const plain = catalogueEntries.filter(({ key }) => !key.includes('['));
const everything = new Form(new Map(plain.map(({ key }) => [key, key])));

describe('what goes to the vault', () => {
  it.each(newPaymentKinds.map((kind) => [kind]))(
    'of a %s is all that the catalogue calls account data, and nothing else',
    (kind) => {
      const rows = plain.filter(
        ({ row }) => row.kinds.includes(kind) && row.sensitivity === 'accountData',
      );
      const held = detailsToHold(everything, kind);
      const names = [...Object.keys(held?.details ?? {}), ...Object.keys(held?.inMemory ?? {})];
      expect(names.sort()).toEqual(rows.map(({ key }) => key).sort());
      expect(instruments[held?.kind ?? 'registration'].request).toBe(kind);
    },
  );

  it('is encrypted, but for security codes', () => {
    const inMemory = newPaymentKinds.flatMap((kind) =>
      Object.keys(detailsToHold(everything, kind)?.inMemory ?? {}),
    );
    expect([...new Set(inMemory)].sort()).toEqual([
      'card.cvv',
      'giftCard.pin',
      'tokenAccount.dtvc',
    ]);
  });

  it('is with its bank where it is a national number, of which many banks have one', () => {
    const bank = [
      ['bankAccount.country', 'DE'],
      ['bankAccount.bankCode', '10000000'],
    ] as const;
    const heldWith = (name: string, value: string) =>
      detailsToHold(new Form(new Map([[name, value], ...bank])), 'bankAccountPayment');
    const number = heldWith('bankAccount.number', '1234567890');
    expect(number?.bank).toEqual({ country: 'DE', code: '10000000' });
    expect(heldWith('bankAccount.iban', 'DE23100000001234567890')).not.toHaveProperty('bank');
  });

  it('is nothing where nothing of it was sent', () => {
    const form = new Form(new Map([['virtualAccount.password', 'jane']]));
    expect(detailsToHold(form, 'virtualAccountPayment')).toBeUndefined();
  });
});

describe('what may not be stored, not even as a hash', () => {
  it('is account data and secrets', () => {
    const names = plain.map(({ key }) => key).filter((name) => isUnstorable(meaningOf(name)));
    const secret = plain.filter(({ row }) => ['accountData', 'secret'].includes(row.sensitivity));
    expect(names).toEqual(secret.map(({ key }) => key));
    expect(names).toEqual(expect.arrayContaining(['card.cvv', 'bankAccount.iban', 'giftCard.pin']));
    expect(isUnstorable(meaningOf('notAParameter'))).toBe(false);
  });
});

describe('every instrument', () => {
  it('is of a kind of payment that the catalogue knows', () => {
    const requests = instrumentKinds.map((kind) => instruments[kind].request);
    const used = new Set(catalogueEntries.flatMap(({ row }) => row.kinds));
    expect(requests.filter((request) => !used.has(request))).toEqual([]);
  });
});
