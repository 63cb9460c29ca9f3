import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/service';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSimulator, SimulatorModule } from '../simulator.module.js';
import { areq, type Fields, type Networks } from './networks-fixture.js';

const logger = createLogger({ service: 'simulator', level: 'silent' });
let folder: string;
let simulator: RunningSimulator;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-networks-'));
  simulator = await SimulatorModule.start({
    settings: { bookFile: join(folder, 'book.ndjson'), directoryPort: 0 },
    pagesUrl: (returnUrl) => `${new URL(returnUrl).origin}/simulator/pages`,
    methodsUrl: () => 'http://shop.test/simulator',
    logger,
  });
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

const results = { results: { url: 'http://127.0.0.1:1/' } } as unknown as Networks;

async function post(url: string, body: Fields): Promise<Fields> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Fields;
}

const ask = (fields: Fields): Promise<Fields> =>
  post(`${simulator.directoryUrl ?? ''}/3ds/visa`, fields);

describe('a simulator with directory servers', () => {
  it.each([
    ['4200000000000091', '92.00', 'fits', '000.100.110'],
    ['4200000000000091', '93.00', 'otherAmount', '000.100.110'],
    ['4200000000000026', '92.00', 'otherCard', '800.100.158'],
  ])('finds of %s and %s and the cryptogram: %s, %s', async (number, amount, cryptogram, code) => {
    const asked = areq(results, { acctNumber: '4200000000000091', threeDSCompInd: 'Y' });
    const { authenticationValue } = await ask(asked);
    await post(`${simulator.url}/transactions`, {
      ...{ reference: 'r', operation: 'debit', amount, currency: 'EUR', mode: 'INTERNAL' },
      card: { number, cryptogram: authenticationValue },
    });
    const book = await (await fetch(`${simulator.url}/book`)).text();
    expect(JSON.parse(book)).toMatchObject({ resultCode: code, cryptogram });
    expect(book).not.toContain(String(authenticationValue));
  });

  it.each([
    ['4200000000000109', '05', 'otherOutcome', '800.100.158'],
    ['4200000000000109', '06', 'fits', '000.100.110'],
    ['4200000000000091', '05', 'fits', '000.100.110'],
  ])('finds of %s and an ECI of %s: %s, %s', async (number, eci, cryptogram, code) => {
    const asked = areq(results, { acctNumber: number, threeDSCompInd: 'Y' });
    const { authenticationValue } = await ask(asked);
    const paid = { operation: 'debit', amount: '92.00', currency: 'EUR', mode: 'INTERNAL' };
    await post(`${simulator.url}/transactions`, {
      ...{ ...paid, reference: 'r', card: { number, cryptogram: authenticationValue } },
      parameters: { threeDSecure: { eci } },
    });
    const book = await (await fetch(`${simulator.url}/book`)).text();
    expect(JSON.parse(book)).toMatchObject({ resultCode: code, cryptogram });
  });

  it('declines a second payment with the same cryptogram', async () => {
    const asked = areq(results, { acctNumber: '4200000000000091', threeDSCompInd: 'Y' });
    const card = {
      ...{ number: '4200000000000091', cryptogram: (await ask(asked))['authenticationValue'] },
    };
    const pay = async (reference: string) => {
      const paid = { operation: 'debit', amount: '92.00', currency: 'EUR', mode: 'INTERNAL' };
      const { status, resultCode } = await post(`${simulator.url}/transactions`, {
        ...{ ...paid, reference, card },
      });
      return [status, resultCode];
    };
    expect(await pay('one')).toEqual(['approved', '000.100.110']);
    expect(await pay('two')).toEqual(['declined', '800.100.158']);
    const book = await (await fetch(`${simulator.url}/book`)).text();
    const lines = book.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Fields)['cryptogram'])).toEqual([
      ...['fits', 'usedBefore'],
    ]);
    expect(book).not.toMatch(/mark/i);
  });

  it('books nothing of a cryptogram that others have made', async () => {
    await post(`${simulator.url}/transactions`, {
      ...{ reference: 'r', operation: 'debit', amount: '1.00', currency: 'EUR', mode: 'INTERNAL' },
      card: { number: '4200000000000091', cryptogram: 'AAACAgSRBklmQCFgMpEGAAAAAAA=' },
    });
    const book = await (await fetch(`${simulator.url}/book`)).text();
    expect(JSON.parse(book)).not.toHaveProperty('cryptogram');
  });

  it('sends browsers to the server that they know, and has the pages itself', async () => {
    const asked = areq(results, { acctNumber: '4200000000000018' });
    const { acsURL } = await ask(asked);
    expect(acsURL).toBe('https://gateway.test/simulator/3ds/visa/challenge');
    const { cardRangeData } = await ask({ ...asked, messageType: 'PReq' });
    expect((cardRangeData as Fields[])[0]).toMatchObject({
      threeDSMethodURL: 'http://shop.test/simulator/3ds/visa/method',
    });
    const body = new URLSearchParams({ creq: 'x' });
    const page = await fetch(`${simulator.url}/3ds/visa/challenge`, { method: 'POST', body });
    expect(page.status).toBe(400);
    const book = await (await fetch(`${simulator.url}/3ds/book`)).text();
    expect(JSON.parse(book)).toMatchObject({ last4: '0018', status: 'C' });
  });
});

describe('a simulator without a port for them', () => {
  it('has none', async () => {
    const settings = { bookFile: join(folder, 'other.ndjson') };
    const other = await SimulatorModule.start({ settings, logger });
    expect(other).not.toHaveProperty('directoryUrl');
    await other.close();
  });
});
