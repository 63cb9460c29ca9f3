import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.js';
import { answeringKinds } from './kinds.js';
import { notYet } from './not-yet.js';
import type { Parameter } from './parameter.js';
import { referenceTables } from './reference-tables.js';

const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>);

describe('what is taken and not done yet (D-70)', () => {
  it.each([
    ['shopperResultUrl', 'Nothing calls the address'],
    ['threeDSecure.authenticationStatus', '600.200.500'],
    ['threeDSecure.deviceInfo', 'its shopper is in a browser'],
    ['giftCard.number', 'not divided yet'],
    ['giftCard.type', 'Recorded only'],
    ['recurringMigration.amount', 'Recorded only'],
  ])('%s says so in the reference', (key, words) => {
    expect(notYet(key)).toContain(words);
    const line = referenceTables()
      .split('\n')
      .find((each) => each.startsWith(`| \`${key}\` |`));
    expect(line).toContain(notYet(key));
  });

  it('is nothing of what is done', () => {
    for (const key of ['amount', 'customer.email', 'threeDSecure.eci', 'threeDSecure.npa']) {
      expect(notYet(key)).toBeUndefined();
    }
  });

  /** Read by the gateway itself. */
  const USED = new Set([
    ...['entityId', 'testMode', 'authentication.entityId', 'authentication.userId'],
    ...['authentication.password', 'amount', 'currency', 'paymentBrand', 'paymentType', 'sequence'],
    ...['numberOfCaptures', 'referenceUuid', 'chargebackResultCode'],
  ]);
  /** The provider asks the shopper, whose secret is none of ours. */
  const NOBODYS = new Set(['virtualAccount.password']);

  it('never is what vanishes: it is recorded, answered, used or held by the vault', () => {
    const vanishing = rows.filter(
      ([key, row]) =>
        row.kinds.some((kind) => answeringKinds.includes(kind)) &&
        !row.kept &&
        !row.echo &&
        row.sensitivity !== 'accountData' &&
        !USED.has(key) &&
        !NOBODYS.has(key),
    );
    expect(vanishing.map(([key]) => key)).toEqual([]);
  });
});
