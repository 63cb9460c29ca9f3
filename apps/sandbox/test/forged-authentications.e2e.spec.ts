import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authenticated, PlainShopper, returnIn, SHOP } from './authentication-fixture.js';
import { APPROVED, type Fields } from './demo-merchant-fixture.js';
import type { PlainPage } from './plain-browser.js';

const sandbox = testSandbox();
const shopper = new PlainShopper(() => sandbox);

const PENDING = '000.200.000';
const CHALLENGED = { brand: 'VISA', number: '4200000000000018' } as const;
const WITH_METHOD = { brand: 'VISA', number: '4200000000000091' } as const;

/** A payment whose shopper is on the issuer's page, and has said nothing yet. */
async function begun(): Promise<{ payment: Authenticated; page: PlainPage; ids: Fields }> {
  const payment = await shopper.pay(CHALLENGED);
  const page = await shopper.go(payment);
  const acsTransID = page.url.split('/').at(-1) ?? '';
  const noted = (await shopper.issuers()).find((one) => one.acsTransID === acsTransID);
  const threeDSServerTransID = noted?.threeDSServerTransID ?? '';
  return { payment, page, ids: { acsTransID, threeDSServerTransID } };
}

const encoded = (message: object): string =>
  Buffer.from(JSON.stringify(message)).toString('base64url');

/** What a browser would bring if its shopper had said yes. */
const yes = (ids: Fields): object => ({
  ...{ messageType: 'CRes', messageVersion: '2.2.0', transStatus: 'Y', ...ids },
  challengeCompletionInd: 'Y',
});

/** Deeper than any message, and than many parsers go. */
const DEPTH = 40_000;
const FILLED = 90_000;

/** What comes back in place of CRes, by what is wrong with it. */
const RETURNS: readonly (readonly [string, (ids: Fields, others: Fields) => Fields])[] = [
  ['nothing', () => ({})],
  ['a success that its shopper has written himself', (ids) => ({ cres: encoded(yes(ids)) })],
  ['a success of another payment', (_, others) => ({ cres: encoded(yes(others)) })],
  [
    'a success with the ids of two payments',
    (ids, { acsTransID = '' }) => ({ cres: encoded(yes({ ...ids, acsTransID })) }),
  ],
  [
    'a success of a later version',
    (ids) => ({ cres: encoded({ ...yes(ids), messageVersion: '9.9.9' }) }),
  ],
  ['an RReq', (ids) => ({ cres: encoded({ ...yes(ids), messageType: 'RReq' }) })],
  ['a success that is cut off', (ids) => ({ cres: encoded(yes(ids)).slice(0, -9) })],
  ['no base64url', () => ({ cres: '%%%\u0000<script>' })],
  ['no JSON', () => ({ cres: Buffer.from('{"a":').toString('base64url') })],
  [
    'JSON that is nested deeply',
    () => ({ cres: Buffer.from('['.repeat(DEPTH)).toString('base64url') }),
  ],
  [
    'a name twice',
    (ids) => ({
      cres: Buffer.from(JSON.stringify(yes(ids)).replace('{', '{"transStatus":"N",')).toString(
        'base64url',
      ),
    }),
  ],
  [
    'a prototype',
    (ids) => ({
      cres: Buffer.from(
        JSON.stringify(yes(ids)).replace('{', '{"__proto__":{"transStatus":"Y"},'),
      ).toString('base64url'),
    }),
  ],
  ['what is too long', () => ({ cres: 'A'.repeat(FILLED) })],
  ['parameters of a payment', () => ({ 'result.code': APPROVED, paRes: 'x', transStatus: 'Y' })],
];

describe('a shopper who comes back with', () => {
  it.each(RETURNS)('%s has not paid, and may still say yes', async (_, returned) => {
    const { payment, page, ids } = await begun();
    const other = await begun();
    const url = `${payment.redirect?.url ?? ''}/return`;
    const sent = await fetch(url, {
      ...{ method: 'POST', redirect: 'manual' },
      body: new URLSearchParams(returned(ids, other.ids)),
    });
    expect(sent.status).toBe(303);
    expect(sent.headers.get('location')).toContain(`${SHOP}?id=${payment.id}`);
    for (const { id } of [payment, other.payment]) {
      expect((await shopper.read(id)).result.code).toBe(PENDING);
    }
    await shopper.act(page, 'code');
    expect((await shopper.read(payment.id)).result.code).toBe(APPROVED);
    expect((await shopper.read(other.payment.id)).result.code).toBe(PENDING);
  });

  it('the right one twice has paid once', async () => {
    const { payment, page } = await begun();
    const [form] = page.forms;
    if (form === undefined) throw new Error('Nobody asks.');
    const sendOn = returnIn(await shopper.browser.submit(form, { answer: '123456' }));
    if (sendOn === undefined) throw new Error('Nothing leads back.');
    const back = await Promise.all([1, 2, 3].map(() => shopper.browser.submit(sendOn)));
    expect(back.map(({ url }) => url.startsWith(`${SHOP}?id=${payment.id}`))).toEqual([
      ...[true, true, true],
    ]);
    expect((await shopper.read(payment.id)).result.code).toBe(APPROVED);
    const book = await readFile(join(sandbox.dataFolder, 'simulator', 'book.jsonl'), 'utf8');
    expect(book.split(`"reference":"${payment.id}"`)).toHaveLength(2);
  });

  it('a no of his own is not believed either', async () => {
    const { payment, page, ids } = await begun();
    const cres = encoded({ ...yes(ids), transStatus: 'N' });
    await shopper.browser.submit({
      url: `${payment.redirect?.url ?? ''}/return`,
      fields: { cres },
    });
    expect((await shopper.read(payment.id)).result.code).toBe(PENDING);
    await shopper.act(page, 'code');
    expect((await shopper.read(payment.id)).result.code).toBe(APPROVED);
  });
});

describe('a browser that says that the page of the 3DS method ran', () => {
  const told = (id: string): string => encoded({ threeDSServerTransID: id });

  it.each([
    ['of another transaction', told('6afa6072-9412-446b-9673-2f98b3ee98a2')],
    ['of none', encoded({})],
    ['in no base64url', '<script>'],
    ['too long', 'A'.repeat(FILLED)],
    ['nested deeply', Buffer.from('['.repeat(DEPTH)).toString('base64url')],
  ])('%s is not believed', async (_, threeDSMethodData) => {
    const payment = await shopper.pay(WITH_METHOD);
    const url = `${payment.redirect?.url ?? ''}/method`;
    const { status } = await shopper.browser.submit({ url, fields: { threeDSMethodData } });
    expect(status).toBe(200);
    await shopper.go(payment);
    const read = await shopper.read(payment.id);
    expect(read.result.code).toBe(APPROVED);
    const { notes } = (await shopper.noted(read)) ?? { notes: [] };
    expect(notes).toEqual([expect.stringContaining('threeDSCompInd is N')]);
  });
});

describe('a payment that its merchant authenticates once', () => {
  it('leaves no cryptogram in any answer', async () => {
    const payment = await shopper.pay({ brand: 'VISA', number: '4200000000000026' });
    const read = await shopper.read(payment.id);
    expect(read.threeDSecure?.['authenticationStatus']).toBe('Y');
    expect(JSON.stringify([payment, read])).not.toMatch(/[0-9A-Za-z+/]{27}=/u);
  });
});
