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
const { paymentType: _, ...AMOUNT } = MONEY;
const ACCEPTED = '000.300.100';
const TOO_LARGE = '800.120.200';
const TOO_OFTEN = '800.120.101';
const RULES = {
  rules: [
    {
      ...{ id: 'two-an-hour', name: 'At most 2 payments of a card in an hour', then: 'reject' },
      when: { velocity: { by: 'card', within: '1h', atMost: 2 } },
    },
    {
      ...{ id: 'large', name: 'Nothing above 500 euros', then: 'reject', score: 30 },
      ...{ when: { amount: { above: '500.00', currency: 'EUR' } }, resultCode: TOO_LARGE },
    },
  ],
};
/** A card for each spec, because each counts its own. */
const cardOf = (number: string, brand = 'VISA'): Fields => ({
  ...{ ...AMOUNT, paymentBrand: brand, 'card.number': number, 'card.cvv': '123' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
});

interface Checked extends Body {
  readonly risk?: { readonly score: string };
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
  // Payments learns of it within seconds; until then a check is refused.
  for (const endMs = Date.now() + WITHIN_MS; Date.now() < endMs; await pause(200)) {
    const { result } = await check(cardOf('5454545454545454', 'MASTER'));
    if (result.code === ACCEPTED) return;
  }
  throw new Error('the rules never held');
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const check = (fields: Fields, key?: string): Promise<Checked> =>
  send(sandbox, ['POST', '/v1/risk'], fields, key);
const pay = (fields: Fields): Promise<Checked> =>
  send(sandbox, ['POST', '/v1/payments'], { ...fields, paymentType: 'DB' });

describe('a risk check without a payment', () => {
  it('is accepted where no rule speaks, asks no acquirer, and is found again', async () => {
    const { id, paymentType, result } = await check(cardOf('4200000000000000'));
    expect([paymentType, result.code]).toEqual(['RI', ACCEPTED]);
    const found = await send(sandbox, ['GET', `/v1/payments/${id}`]);
    expect([found['paymentType'], found.result.code]).toEqual(['RI', ACCEPTED]);
    const book = await readFile(join(folder, 'simulator', 'book.jsonl'), 'utf8').catch(() => '');
    expect(book).not.toContain(id);
  });

  it('is rejected by a rule about the amount, with its code and score', async () => {
    const { paymentType, result, risk } = await check({
      ...cardOf('4111111111111111'),
      amount: '500.01',
    });
    expect([paymentType, result.code, risk]).toEqual(['RI', TOO_LARGE, { score: '30' }]);
    const { result: atLimit } = await check({ ...cardOf('4111111111111111'), amount: '500.00' });
    expect(atLimit.code).toBe(ACCEPTED);
  });

  it('counts in windows as a payment does, and payments count for it', async () => {
    const card = cardOf('4012888888881881');
    expect((await check(card)).result.code).toBe(ACCEPTED);
    expect((await pay(card)).result.code).toBe('000.100.110');
    expect((await check(card)).result.code).toBe(TOO_OFTEN);
    expect((await pay(card)).result.code).toBe(TOO_OFTEN);
  });

  it('counts once under a key, however often it is sent', async () => {
    const card = cardOf('5105105105105100', 'MASTER');
    const first = await check(card, 'checked-once');
    expect(first.result.code).toBe(ACCEPTED);
    for (let time = 0; time < 3; time += 1) {
      expect(await check(card, 'checked-once')).toEqual(first);
    }
    expect((await check(card)).result.code).toBe(ACCEPTED);
    expect((await check(card)).result.code).toBe(TOO_OFTEN);
  });
});
