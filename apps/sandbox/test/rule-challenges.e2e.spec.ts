import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launched, type SandboxProcess } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Body, entityId, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const WITHIN_MS = 20_000;
const APPROVED = '000.100.110';
const CHALLENGED = '300.100.100';
const NOT_CHALLENGED = '100.380.401';
const RULES = {
  rules: [
    {
      ...{ id: 'large', name: 'Whoever pays more than 100 euros is asked', then: 'challenge' },
      when: { amount: { above: '100.00', currency: 'EUR' } },
    },
    {
      ...{ id: 'small', name: 'Less than 50 is looked at, whatever the issuer says' },
      when: {
        expression: {
          and: [
            { '<': [{ var: 'amountMinor' }, 5000] },
            { or: [{ missing: ['cvvResponse'] }, { '!!': [{ var: 'cvvResponse' }] }] },
          ],
        },
      },
      then: 'review',
    },
  ],
};
const { paymentType: _, ...AMOUNT } = MONEY;
const CARD: Fields = {
  ...{ ...AMOUNT, amount: '150.00', paymentBrand: 'VISA', 'card.number': '4200000000000026' },
  ...{ 'card.cvv': '123', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const BROWSER: Fields = {
  ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'en-GB' },
  ...{ 'customer.browser.screenHeight': '1080', 'customer.browser.screenWidth': '1920' },
  ...{ 'customer.browser.timezone': '-60', 'customer.browser.javaEnabled': 'false' },
  ...{ 'customer.browser.userAgent': 'Mozilla/5.0' },
  shopperResultUrl: 'http://127.0.0.1:9/result',
};

interface Authenticated extends Body {
  readonly threeDSecure?: Readonly<Record<string, string>>;
}

let folder: string;
let sandbox: SandboxProcess;
beforeAll(async () => {
  folder = newFolder();
  sandbox = await start(folder);
  const file = join(folder, 'rules.json');
  await writeFile(file, JSON.stringify(RULES));
  const line = [...COMMAND_LINE, '--data', folder, 'risk', 'rules', 'set', '--node', entityId];
  await promisify(execFile)(process.execPath, [...line, '--file', file, '--execute']);
  // Payments learns of it within seconds.
  for (const endMs = Date.now() + WITHIN_MS; Date.now() < endMs; await pause(200)) {
    const { result } = await send(sandbox, ['POST', '/v1/risk'], CARD);
    if (result.code === CHALLENGED) return;
  }
  throw new Error('the rules never held');
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const pay = (fields: Fields) =>
  send(sandbox, ['POST', '/v1/payments'], { paymentType: 'DB', ...fields });

/** What a merchant sends of an authentication with the payment. */
async function proof(changes: Fields = {}): Promise<Fields> {
  const asked = { ...CARD, ...BROWSER, ...changes };
  const made = (await send(sandbox, ['POST', '/v1/threeDSecure'], asked)) as Authenticated;
  const names = ['eci', 'verificationId', 'dsTransactionId', 'version', 'authenticationStatus'];
  return Object.fromEntries(
    names.map((name) => [`threeDSecure.${name}`, made.threeDSecure?.[name] ?? '']),
  );
}

describe('a rule that demands a challenge', () => {
  it('is satisfied by an authentication that was made here for what is paid', async () => {
    const { result } = await pay({ ...CARD, ...(await proof()) });
    expect(result.code).toBe(APPROVED);
  });

  it('is not by one that covers less', async () => {
    const { result } = await pay({ ...CARD, ...(await proof({ amount: '0.50' })) });
    expect(result.code).toBe(NOT_CHALLENGED);
    expect(result.description).toContain('its authentication covers 0.50 EUR');
  });

  it('is not by an attempt that is sent as an authentication', async () => {
    const attempt = await proof({ 'customParameters[3DS2_status]': 'A' });
    expect(attempt).toMatchObject({ 'threeDSecure.eci': '06' });
    const { result } = await pay({
      ...{ ...CARD, ...attempt },
      ...{ 'threeDSecure.eci': '05', 'threeDSecure.authenticationStatus': 'Y' },
    });
    expect(result.code).toBe(NOT_CHALLENGED);
    expect(result.description).toContain('is not what its authentication found out');
  });
});

describe('a rule about what the issuer finds', () => {
  it('leaves a payout alone, of which nothing is taken back', async () => {
    const small: Fields = { ...CARD, 'card.number': '4200000000000000', amount: '30.00' };
    expect((await pay(small)).result.code).toBe('000.400.000');
    const { 'card.cvv': __, ...payout } = small;
    const { id, result } = await pay({ ...payout, paymentType: 'CD' });
    expect(result.code).toBe(APPROVED);
    const book = await readFile(join(folder, 'simulator', 'book.jsonl'), 'utf8');
    expect(book.split('\n').filter((line) => line.includes(id))).toHaveLength(1);
  });
});
