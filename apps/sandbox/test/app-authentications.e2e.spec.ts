import { beforeAll, describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppShopper, toldToApp } from './app-fixture.js';
import { publicCards, type PublicCard } from './authentication-cards.js';
import { CHALLENGED, ENDS, WRONG_NUMBER } from './authentication-ends.js';
import { outcome, PlainShopper } from './authentication-fixture.js';
import { APPROVED, type Fields } from './demo-merchant-fixture.js';

const sandbox = testSandbox();
const shopper = new AppShopper(() => sandbox);
const browsing = new PlainShopper(() => sandbox);

const PENDING = '000.200.000';
const WITHIN_MS = 90_000;
/** With many more, an issuer's answer may take longer than a payment waits for it. */
const AT_ONCE = 6;
const ASKING = { brand: 'VISA', number: '4200000000000018' } as const;
const RIGHT = { challengeDataEntry: '123456' };

/** Pays in an app, whose SDK goes through the challenge with the issuer. */
async function walked(card: PublicCard) {
  const { sdk, asked } = await shopper.pay(card);
  if (asked.result.code !== PENDING) return { asked, read: asked };
  const told = toldToApp(asked);
  const first = await sdk.ask(told);
  const last = await sdk.ask(told, RIGHT);
  return { asked, first, last, read: await shopper.decided(asked.id) };
}

describe('the public test cards in an app', () => {
  const walks = new Map<PublicCard, Awaited<ReturnType<typeof walked>>>();
  beforeAll(async () => {
    const left = [...publicCards];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let card = left.pop(); card !== undefined; card = left.pop()) {
          walks.set(card, await walked(card));
        }
      }),
    );
  }, WITHIN_MS);

  it.each(publicCards)('$brand $number, $column', async (card) => {
    const walk = walks.get(card);
    if (walk === undefined) throw new Error(`Nobody has paid with ${card.number}.`);
    const { asked, first, last, read } = walk;
    const [code, status] = card.number === WRONG_NUMBER ? ['100.100.101'] : ENDS[card.column];
    expect([read.result.code, read.redirect]).toEqual([code, undefined]);
    const isChallenged = CHALLENGED.has(card.column) && card.number !== WRONG_NUMBER;
    expect(asked.result.code).toBe(isChallenged ? PENDING : code);
    const flow = isChallenged ? 'challenge' : 'frictionless';
    if (status === undefined) expect(read.threeDSecure ?? {}).not.toHaveProperty('flow');
    else expect(read.threeDSecure).toMatchObject(outcome(card, status, flow));
    expect(first?.['challengeCompletionInd']).toBe(isChallenged ? 'N' : undefined);
    expect(last?.['transStatus']).toBe(isChallenged ? 'Y' : undefined);
    const noted = await browsing.noted(read);
    expect(noted?.status).toBe(isChallenged ? 'C' : status);
  });
});

describe('an app that is challenged', () => {
  it('is told what its SDK needs, whoever reads it', async () => {
    const { sdk, asked } = await shopper.pay(ASKING);
    expect(asked).toMatchObject({
      result: { code: PENDING },
      threeDSecure: {
        ...{ authenticationStatus: 'C', version: '2.2.0', sdkTransID: sdk.transactionId },
        acsReferenceNumber: expect.any(String),
        acsSignedContent: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/u),
        acsRenderingType: { acsInterface: '01', acsUiTemplate: '01' },
      },
    });
    const { threeDSecure, redirect } = await shopper.read(asked.id);
    expect([threeDSecure, redirect]).toEqual([asked.threeDSecure, undefined]);
    const told = toldToApp(asked);
    await sdk.ask(told);
    await sdk.ask(told, RIGHT);
    const read = await shopper.decided(asked.id);
    expect(read).toMatchObject({ result: { code: APPROVED } });
    expect(read.threeDSecure).not.toHaveProperty('threeDSServerTransID');
  });

  it.each<[string, readonly Fields[], string]>([
    ['cancels', [{ challengeCancel: '01' }], '100.396.101'],
    [
      'is wrong three times',
      Array<Fields>(3).fill({ challengeDataEntry: '654321' }),
      '100.380.401',
    ],
  ])('and %s has not paid', async (_, entered, code) => {
    const { sdk, asked } = await shopper.pay(ASKING);
    const told = toldToApp(asked);
    await sdk.ask(told);
    for (const fields of entered) await sdk.ask(told, fields);
    expect((await shopper.decided(asked.id)).result.code).toBe(code);
  });

  it('and whose SDK never comes has its simulated issuer say yes', async () => {
    const { asked } = await shopper.pay(ASKING);
    expect((await shopper.decided(asked.id)).result.code).toBe(APPROVED);
  });

  it('may speak 2.1.0, and may have pages alone', async () => {
    const wish = { messageVersion: '2.1.0', sdkInterface: '02', encryption: 'A128GCM' } as const;
    const { sdk, asked } = await shopper.pay(ASKING, {}, wish);
    const told = toldToApp(asked);
    expect(told.version).toBe('2.1.0');
    expect(await sdk.ask(told)).toMatchObject({ acsUiType: '05' });
    await sdk.ask(told, { challengeHTMLDataEntry: 'answer=123456' });
    expect((await shopper.decided(asked.id)).result.code).toBe(APPROVED);
  });
});

describe('an app without a payment', () => {
  it('authenticates its shopper by POST /v1/threeDSecure', async () => {
    const { sdk, asked } = await shopper.pay(ASKING, {}, { path: '/v1/threeDSecure' });
    expect(asked).toMatchObject({ paymentType: '3D', result: { code: PENDING } });
    const told = toldToApp(asked);
    await sdk.ask(told);
    await sdk.ask(told, RIGHT);
    const read = await shopper.decided(asked.id);
    expect(read).toMatchObject({
      result: { code: APPROVED },
      threeDSecure: { ...outcome(ASKING, 'Y', 'challenge') },
    });
    expect(read.threeDSecure?.['verificationId']).toMatch(/^[A-Za-z0-9+/]{27}=$/);
  });
});

describe('what cannot be', () => {
  it.each<[string, Fields, string, string]>([
    [
      ...(['what no SDK has made', { 'threeDSecure.deviceInfo': 'x' }] as const),
      ...(['100.390.117', 'is no JSON object'] as const),
    ],
    [
      ...(['an app that the merchant does without', { 'threeDSecure.channel': '3' }] as const),
      ...(['600.200.500', 'without an app'] as const),
    ],
  ])('is refused in words: %s', async (_, fields, code, words) => {
    const { asked } = await shopper.pay(ASKING, fields);
    expect(asked.result).toMatchObject({
      ...{ code, description: expect.stringContaining(words) },
    });
  });
});

describe('what an app has said', () => {
  it('is in no log and in no file in clear', async () => {
    const { asked } = await shopper.pay(ASKING);
    expect(JSON.stringify(asked)).not.toContain('the.device.encrypted');
    const names = await readdir(sandbox.dataFolder, { recursive: true, withFileTypes: true });
    let files = 0;
    for (const entry of names.filter((one) => one.isFile())) {
      const text = await readFile(join(entry.parentPath, entry.name), 'latin1').catch(() => '');
      if (text.includes(asked.id)) files += 1;
      expect([entry.name, text.includes('the.device.encrypted')]).toEqual([entry.name, false]);
    }
    // The database is among them.
    expect(files).toBeGreaterThan(0);
    expect(sandbox.output()).not.toContain('the.device.encrypted');
  });
});
