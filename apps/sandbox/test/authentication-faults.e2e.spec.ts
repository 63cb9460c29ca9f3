import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { type Authenticated, PlainShopper } from './authentication-fixture.js';
import type { Fields } from './demo-merchant-fixture.js';

const sandbox = testSandbox();
const shopper = new PlainShopper(() => sandbox);

const POLL_INTERVAL_MS = 100;
/** An answer that never comes is waited for. */
const WITHIN_MS = 60_000;
const FRICTIONLESS = { brand: 'VISA', number: '4200000000000026' } as const;
const CHALLENGED = { brand: 'VISA', number: '4200000000000018' } as const;
type Card = typeof CHALLENGED | typeof FRICTIONLESS;

/** Pays, goes wherever the browser is sent, says the right thing there, and waits for the end. */
async function walked(card: Card, fields: Fields): Promise<Authenticated> {
  const payment = await shopper.pay(card, fields);
  if (payment.redirect === undefined) return payment;
  const page = await shopper.go(payment);
  if (page.forms.length > 0) await shopper.act(page, 'code');
  for (;;) {
    const read = await shopper.read(payment.id);
    if (read.result.code !== '000.200.000') return read;
    await pause(POLL_INTERVAL_MS);
  }
}

describe('a directory server or an issuer that a test lets fail', () => {
  it.each<[string, Card, string]>([
    ['noAnswer', FRICTIONLESS, '000.400.107'],
    ['http500', FRICTIONLESS, '100.390.112'],
    ['notJson', FRICTIONLESS, '100.390.112'],
    ['erro', FRICTIONLESS, '100.390.112'],
    ['wrongTransactionId', FRICTIONLESS, '100.390.112'],
    ['wrongVersion', FRICTIONLESS, '100.390.112'],
    ['noCryptogram', FRICTIONLESS, '100.390.112'],
    ['hostileJson', FRICTIONLESS, '100.390.112'],
    ['noCryptogram', CHALLENGED, '100.390.112'],
    ['hostileAcsUrl', CHALLENGED, '100.390.112'],
    ['rreqTwice', CHALLENGED, '000.100.110'],
    ['rreqBeforeCreq', CHALLENGED, '000.100.110'],
    ['rreqForged', CHALLENGED, '000.100.110'],
  ])(
    '%s',
    async (fault, card, code) => {
      const read = await walked(card, { 'customParameters[3DS2_fault]': fault });
      expect(read.result.code).toBe(code);
      expect(read.threeDSecure?.liabilityShifts).toBe(code === '000.100.110');
    },
    WITHIN_MS,
  );
});

describe('an issuer whose word a test chooses', () => {
  it.each<[string, Card, string, boolean]>([
    ['Y', FRICTIONLESS, '000.100.110', true],
    ['A', FRICTIONLESS, '000.100.110', true],
    ['N', FRICTIONLESS, '000.400.102', false],
    ['U', FRICTIONLESS, '000.400.103', false],
    ['R', FRICTIONLESS, '100.380.401', false],
    ['I', FRICTIONLESS, '000.400.111', false],
    ['A', CHALLENGED, '000.100.110', true],
    ['N', CHALLENGED, '100.380.401', false],
  ])('says %s: %j', async (status, card, code, liabilityShifts) => {
    const flow: Fields = card === CHALLENGED ? { 'customParameters[3DS2_flow]': 'challenge' } : {};
    const read = await walked(card, { ...flow, 'customParameters[3DS2_status]': status });
    expect(read.result.code).toBe(code);
    expect(read.threeDSecure).toMatchObject({
      ...{ authenticationStatus: status, liabilityShifts },
      flow: card === CHALLENGED ? 'challenge' : 'frictionless',
    });
  });

  it(
    'and is waited for where it says it late',
    async () => {
      const late = { 'customParameters[3DS2_delay]': '4000' };
      const begunAtMs = performance.now();
      const read = await walked(FRICTIONLESS, late);
      expect(performance.now() - begunAtMs).toBeGreaterThan(3_900);
      expect(read.result.code).toBe('000.100.110');
    },
    WITHIN_MS,
  );

  it.each([
    ['3DS2_fault', 'http-500', 'noAnswer, http500'],
    ['3DS2_status', 'X', 'Y, A, N, U, R, I'],
    ['3DS2_delay', '600001', 'from 0 to 600000'],
  ])('is told nothing that it does not know: %s=%s', async (name, value, allowed) => {
    const { result } = await shopper.pay(FRICTIONLESS, { [`customParameters[${name}]`]: value });
    expect(result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [
        { name: `customParameters[${name}]`, message: expect.stringContaining(allowed) },
      ],
    });
  });
});
