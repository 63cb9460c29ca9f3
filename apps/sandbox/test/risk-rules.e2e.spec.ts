import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launched, type SandboxProcess } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const DEMO_CHANNEL = '8a8294174b7ecb28014b9699220015ca';
const WITHIN_MS = 20_000;
const IBAN = 'DE23100000001234567890';
const CARD: Fields = {
  ...{ ...MONEY, paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.cvv': '123' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const AUTHORIZED: Fields = {
  ...{ ...CARD, paymentBrand: 'MASTER', 'card.number': '5454545454545454' },
  ...{ paymentType: 'PA', amount: '600.00' },
};
/** A card that the rule of velocity has not counted yet. */
const KNOWN: Fields = { ...CARD, 'card.number': '4111111111111111', paymentType: 'PA' };
const RULES = {
  rules: [
    {
      ...{ id: 'charged-back', name: 'Whose payment was charged back', then: 'reject' },
      when: { history: { by: 'email', had: 'chargedBack', atLeast: 1 } },
    },
    {
      ...{ id: 'three-an-hour', name: 'At most 3 payments of a card in an hour', then: 'reject' },
      when: { velocity: { by: 'card', within: '1h', atMost: 3 } },
    },
    {
      ...{ id: 'large', name: 'Large amounts are looked at', then: 'review', score: 30 },
      when: { amount: { above: '500.00', currency: 'EUR' } },
    },
    {
      ...{ id: 'address', name: 'Addresses that issuers do not know', then: 'reject' },
      when: { checks: { avs: ['N'] } },
    },
    {
      ...{ id: 'code', name: 'Wrong security codes are looked at', then: 'review' },
      when: { checks: { cvv: ['N'] } },
    },
  ],
  scorer: { name: 'simulator', whenAway: 'review' },
};

/** A line of the simulator's book. */
interface Line {
  readonly kind: string;
  readonly transactionId: string;
  readonly reference?: string;
}

let folder: string;
let sandbox: SandboxProcess;
beforeAll(async () => {
  folder = newFolder();
  sandbox = await start(folder);
  const file = join(folder, 'rules.json');
  await writeFile(file, JSON.stringify(RULES));
  expect((await pay(CARD)).risk).toBeUndefined();
  await sluice('rules', 'set', '--node', DEMO_CHANNEL, '--file', file, '--execute');
  // Payments learns of it within seconds; this payment is none that the rules of below count.
  await eventually(async () => (await pay({ ...CARD, ...OTHER })).risk !== undefined);
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const OTHER: Fields = {
  paymentBrand: 'AMEX',
  'card.number': '377777777777770',
  'card.cvv': '1234',
};

const pay = (fields: Fields): Promise<Body & { readonly risk?: { readonly score: string } }> =>
  send(sandbox, ['POST', '/v1/payments'], fields);
const refer = (id: string, fields: Fields): Promise<Body> =>
  send(sandbox, ['POST', `/v1/payments/${id}`], { ...MONEY, ...fields });
const read = (id: string): Promise<Body> => send(sandbox, ['GET', `/v1/payments/${id}`], {});
const capture: Fields = { paymentType: 'CP', amount: '600.00' };

async function sluice(...words: readonly string[]): Promise<string> {
  const line = [...COMMAND_LINE, '--data', folder, 'risk', ...words];
  return (await promisify(execFile)(process.execPath, line)).stdout;
}

/** Services learn of each other's changes within seconds. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (const giveUpAtMs = Date.now() + WITHIN_MS; Date.now() < giveUpAtMs;) {
    if (await holds()) return;
    await pause(200);
  }
  throw new Error('it never came to be');
}

describe('payments of a channel with rules', () => {
  it('pass as often as the rule says, of a card, however many come at once', async () => {
    const bodies = await Promise.all(Array.from({ length: 20 }, () => pay(CARD)));
    const codes = bodies.map(({ result }) => result.code).sort();
    expect(codes).toEqual([
      ...Array<string>(3).fill('000.100.110'),
      ...Array<string>(17).fill('800.120.101'),
    ]);
    // The scorer's.
    expect(bodies[0]?.risk).toEqual({ score: '10' });
  });

  it('are of one bank account, however it is spelt, and of another one at another bank', async () => {
    const debit = {
      ...MONEY,
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.holder': 'Jane Jones',
    };
    const bic = { 'bankAccount.bic': 'MARKDEF1100' };
    const atBank = (bankCode: string) => ({
      ...{ 'bankAccount.country': 'DE', 'bankAccount.bankCode': bankCode },
      'bankAccount.number': '001234567890',
    });
    const spelt: readonly Fields[] = [
      { 'bankAccount.iban': IBAN, ...bic },
      { 'bankAccount.number': IBAN.toLowerCase(), ...bic },
      { 'bankAccount.iban': IBAN, 'bankAccount.number': '1234567890', ...bic },
      atBank('10000000'),
      atBank('10000001'),
    ];
    const codes: string[] = [];
    for (const account of spelt) codes.push((await pay({ ...debit, ...account })).result.code);
    const passed = '000.100.110';
    expect(codes).toEqual([passed, passed, passed, '800.120.101', passed]);
  });

  it('are captured once they were looked at, and have the score of the rules that spoke', async () => {
    const { id, result, risk } = await pay(AUTHORIZED);
    expect([result.code, risk]).toEqual(['000.400.000', { score: '40' }]);
    expect((await refer(id, capture)).result.code).toBe('700.400.570');
    expect(await sluice('review', 'list')).toContain(id);
    await sluice('review', 'approve', id, '--execute');
    await eventually(async () => (await read(id)).result.code === '000.100.110');
    expect((await refer(id, capture)).result.code).toBe('000.100.110');
  }, 60_000);

  it('are reversed once they were rejected, and say so', async () => {
    const { id } = await pay({ ...AUTHORIZED, paymentType: 'DB' });
    await sluice('review', 'reject', id, '--execute');
    const linked = async () => {
      const query = { includeLinkedTransactions: 'true' };
      const { records } = await send(sandbox, ['GET', `/v3/query/${id}`], query);
      return (records as readonly Body[]).map((each) => [each['paymentType'], each.result.code]);
    };
    await eventually(async () => (await linked())[1]?.[1] === '000.100.110');
    expect(await linked()).toEqual([
      ['DB', '000.400.100'],
      ['RV', '000.100.110'],
    ]);
    expect((await read(id)).result.code).toBe('000.400.100');
  }, 60_000);

  it('begin no agreement while they are looked at, nor once they were rejected', async () => {
    const card = { ...CARD, 'card.number': '4012888888881881' };
    const said = (mode: string, source: string) => ({
      ...{ 'standingInstruction.mode': mode, 'standingInstruction.source': source },
      'standingInstruction.type': 'UNSCHEDULED',
    });
    const first = { ...said('INITIAL', 'CIT'), createRegistration: 'true', amount: '600.00' };
    const { id, result, registrationId } = await pay({ ...card, ...first });
    expect(result.code).toBe('000.400.000');
    const later = { ...MONEY, ...said('REPEATED', 'MIT'), amount: '10.00' };
    const named = { ...later, 'standingInstruction.agreementId': id };
    const path = `/v1/registrations/${String(registrationId)}/payments`;
    const codes = async () => {
      const answers = [
        await send(sandbox, ['POST', path], named),
        await send(sandbox, ['POST', path], later),
        await pay({ ...card, ...named }),
      ];
      return answers.map((each) => each.result.code);
    };
    const refused = Array<string>(3).fill('600.200.501');
    expect(await codes()).toEqual(refused);
    await sluice('review', 'reject', id, '--execute');
    await eventually(async () => (await read(id)).result.code === '000.400.100');
    expect(await codes()).toEqual(refused);
  }, 60_000);

  /** Whether the acquirer has undone a payment. */
  async function isUndone(id: string): Promise<boolean> {
    const book = await readFile(join(folder, 'simulator', 'book.jsonl'), 'utf8');
    const lines = book
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    const booked = lines.find(({ reference }) => reference === id);
    return lines.some(
      ({ kind, transactionId }) => kind === 'reversal' && transactionId === booked?.transactionId,
    );
  }

  const checked = (name: 'avs' | 'cvv', fields: Fields = {}) =>
    pay({
      ...KNOWN,
      amount: '92.00',
      [`customParameters[simulator.${name}]`]: 'N',
      ...fields,
    });

  it('are declined and given back where the issuer does not know the address', async () => {
    const { id, result } = await checked('avs');
    expect(result.code).toBe('800.400.100');
    expect((await refer(id, { ...capture, amount: '92.00' })).result.code).toBe('700.400.510');
    await eventually(() => isUndone(id));
  }, 60_000);

  it('are looked at where the security code is wrong, once risk has read it', async () => {
    const { id, result } = await checked('cvv');
    expect(result.code).toBe('000.400.020');
    await eventually(async () => (await sluice('review', 'list')).includes(id));
    await sluice('review', 'approve', id, '--execute');
    await eventually(async () => (await read(id)).result.code === '000.100.110');
  }, 60_000);

  it('are rejected of a shopper whose payment was charged back', async () => {
    const shopper = {
      'customer.email': 'joe@shop.example',
      ...{ 'customer.givenName': 'Joe', 'customer.surname': 'Jones' },
    };
    const by = { ...CARD, ...OTHER, ...shopper };
    const { id, result } = await pay(by);
    expect(result.code).toBe('000.100.110');
    expect((await refer(id, { paymentType: 'CB' })).result.code).toMatch(/^000\./);
    await eventually(async () => (await pay(by)).result.code === '100.380.100');
  }, 60_000);

  it.each<[string, Fields, string, string]>([
    ['says so', { 'risk.parameters[simulator.decision]': 'reject' }, '100.400.020', '10'],
    ['fails', { 'risk.parameters[simulator.fault]': 'http-500' }, '000.400.080', '0'],
    ['is late', { 'risk.parameters[simulator.fault]': 'delay:3000' }, '000.400.080', '0'],
    [
      'has more to say',
      { ...OTHER, 'card.number': '378282246310005', 'risk.parameters[simulator.score]': '77' },
      ...(['000.100.110', '77'] as const),
    ],
  ])('are decided by a scorer where it %s', async (_, told, code, score) => {
    const unused = { ...CARD, paymentBrand: 'MASTER', 'card.number': '5105105105105100' };
    const { result, risk } = await pay({ ...unused, paymentType: 'PA', ...told });
    expect([result.code, risk]).toEqual([code, { score }]);
  });
});
