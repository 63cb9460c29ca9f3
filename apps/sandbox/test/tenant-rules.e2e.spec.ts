import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { endSandboxes, START_WITHIN_MS } from './started-sandboxes-fixture.js';
import {
  type Answered,
  type Fields,
  type Merchant,
  OTHER,
  OWNER,
  TwoMerchants,
} from './two-merchants-fixture.js';

let both: TwoMerchants;

const card = (number: string): Fields => ({
  ...{ amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'VISA' },
  ...{ 'card.number': number, 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
});
const LISTED = card('4111111111111111');
const COUNTED = card('4200000000000000');

const codeIn = ({ body }: Answered) => (body['result'] as { readonly code: string }).code;
const pay = async (by: Merchant, fields: Fields): Promise<string> =>
  codeIn(await both.send(by, 'POST', '/v1/payments', fields));

const once = {
  ...{ id: 'once', name: 'A card once a day', then: 'reject' },
  when: { velocity: { by: 'card', within: '1d', atMost: 1 } },
};
const list = (value: string) => ({
  ...{ id: 'stolen', name: 'Cards that were stolen', then: 'reject' },
  when: { list: { by: 'bin', values: [value] } },
});

beforeAll(async () => {
  both = await TwoMerchants.start();
  await both.setRules(OWNER, [once, list('411111')]);
  await both.setRules(OTHER, [once, list('555555')]);
  // Payments learns of rules within seconds.
  const { paymentType: _, ...checked } = card('4012888888881881');
  for (const merchant of [OWNER, OTHER]) {
    const check = async () => codeIn(await both.send(merchant, 'POST', '/v1/risk', checked));
    while ((await check()) === '600.200.500') await pause(200);
  }
}, START_WITHIN_MS);
afterAll(async () => {
  await both.close();
  await endSandboxes();
}, START_WITHIN_MS);

describe("another merchant's rules", () => {
  it('hold for his payments alone', async () => {
    expect(await pay(OWNER, LISTED)).toMatch(/^800\.(?:300|110|120)\./);
    expect(await pay(OTHER, LISTED)).toBe('000.100.110');
  });

  it('count his payments alone', async () => {
    expect(await pay(OWNER, COUNTED)).toBe('000.100.110');
    expect(await pay(OWNER, COUNTED)).toBe('800.120.101');
    expect(await pay(OTHER, COUNTED)).toBe('000.100.110');
    expect(await pay(OTHER, COUNTED)).toBe('800.120.101');
  });

  it(
    'and what is on their lists are shown and changed at his node alone',
    async () => {
      const of = ({ entityId }: Merchant) => ['--node', entityId, '--rule', 'stolen'];
      await both.risk('lists', 'add', ...of(OWNER), '--value', '422222', '--execute');
      expect(await both.risk('lists', 'show', ...of(OWNER))).toMatch(/411111[^]*422222/);
      expect(await both.risk('lists', 'show', ...of(OTHER))).not.toMatch(/411111|422222/);
      expect(await both.risk('rules', 'show', '--node', OTHER.entityId)).not.toMatch(
        /411111|422222/,
      );
      expect(await both.risk('rules', 'history', '--node', OTHER.entityId)).not.toMatch(/422222/);
    },
    START_WITHIN_MS,
  );

  it(
    'are under no id that there is not',
    async () => {
      const nobody = `${OWNER.entityId.slice(0, -4)}0000`;
      for (const words of [
        ['rules', 'show'],
        ['lists', 'show', '--rule', 'stolen'],
      ]) {
        await expect(both.risk(...words, '--node', nobody)).rejects.toThrow(
          `There is no node ${nobody} in the account tree.`,
        );
      }
    },
    START_WITHIN_MS,
  );
});
