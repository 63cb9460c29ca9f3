import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launched, type SandboxProcess } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PlainShopper } from './authentication-fixture.js';
import { APPROVED, entityId, type Fields } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const WITHIN_MS = 20_000;
const PENDING = '000.200.000';
const NOT_CHALLENGED = '100.380.401';
const RULES = {
  rules: [
    {
      ...{ id: 'large', name: 'Whoever pays more than 50 euros is asked', then: 'challenge' },
      when: { amount: { above: '50.00', currency: 'EUR' } },
    },
  ],
};
/** It demands an authentication by itself, and its issuer asks. */
const DEMANDING = { brand: 'VISA', number: '4200000000000018' } as const;
/** It demands none. */
const PLAIN = { brand: 'VISA', number: '4200000000000000' } as const;

let sandbox: SandboxProcess;
const shopper = new PlainShopper(() => sandbox);
beforeAll(async () => {
  const folder = newFolder();
  sandbox = await start(folder);
  const file = join(folder, 'rules.json');
  await writeFile(file, JSON.stringify(RULES));
  const line = [...COMMAND_LINE, '--data', folder, 'risk', 'rules', 'set', '--node', entityId];
  await promisify(execFile)(process.execPath, [...line, '--file', file, '--execute']);
  // Payments learns of it within seconds.
  for (const endMs = Date.now() + WITHIN_MS; Date.now() < endMs; await pause(200)) {
    if ((await shopper.pay(PLAIN)).result.code !== APPROVED) return;
  }
  throw new Error('the rules never held');
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

describe('a rule that demands a challenge', () => {
  it.each<Fields>([{}, { 'threeDSecure.amount': '100.00' }])(
    'is satisfied by one for all that is paid: %j',
    async (changes) => {
      const payment = await shopper.pay(DEMANDING, changes);
      expect(payment.result.code).toBe(PENDING);
      await shopper.act(await shopper.go(payment), 'code');
      expect((await shopper.read(payment.id)).result.code).toBe(APPROVED);
    },
  );

  it.each<[string, Fields]>([
    ['0.01 EUR', { 'threeDSecure.amount': '0.01' }],
    ['60.00 EUR', { 'risk.amount': '60.00', amount: '900.00' }],
    ['92.00 USD', { 'threeDSecure.currency': 'USD' }],
    ['0.00 EUR', { 'threeDSecure.npa': 'true' }],
  ])('is not by one that would cover %s, and nobody is asked: %j', async (covered, changes) => {
    const asked = await shopper.issuers();
    for (const card of [DEMANDING, PLAIN]) {
      const { result, redirect } = await shopper.pay(card, changes);
      expect(result.code).toBe(NOT_CHALLENGED);
      expect(result.description).toContain(
        `it would cover ${covered}, and not what is paid), and a rule of risk demands it`,
      );
      expect(redirect).toBeUndefined();
    }
    expect(await shopper.issuers()).toEqual(asked);
  });

  it('demands nothing of less, whatever its authentication covers', async () => {
    const { result } = await shopper.pay(PLAIN, { amount: '50.00', 'threeDSecure.amount': '0.01' });
    expect(result.code).toBe(APPROVED);
  });
});
