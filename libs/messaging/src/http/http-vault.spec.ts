import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/service';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpVault } from './http-vault.js';
import { REMINDER_INTERVAL_MS } from './unknown-instances.js';

const NUMBER = '4200000000000042';
const SECRET_PART = '018f2d3c9a7b4e5f8a9b0c1d2e3f4a5b';
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly instance: number;
  readonly known: number;
}

/** Payments' vault with as many instances, all of which have the card without its security code. */
async function vaultOf(instances: number): Promise<{
  readonly vault: HttpVault;
  readonly written: string[];
  readonly lines: () => readonly Line[];
  readonly advance: (ms: number) => void;
}> {
  const urls = await Promise.all(Array.from({ length: instances }, () => someInstance()));
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  let nowMs = 0;
  const vault = new HttpVault({
    urls,
    logger: createLogger({ service: 'payments', level: 'debug', destination }),
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
  });
  closers.push(() => vault.close());
  return {
    ...{ vault, written, lines: () => written.map((line) => JSON.parse(line) as Line) },
    advance: (ms) => void (nowMs += ms),
  };
}

async function someInstance(): Promise<string> {
  const instrument = { kind: 'card', details: { 'card.number': NUMBER } };
  const server: Server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ instrument }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a card that is with an instance of the vault which VAULT_URLS does not name', () => {
  it('is asked of another one, and the log says which is missing and where to read on', async () => {
    const { vault, written, lines } = await vaultOf(2);
    const revealed = await vault.reveal(`vault-2.${SECRET_PART}`);
    expect(revealed?.details['card.number']?.reveal()).toBe(NUMBER);
    expect(lines()).toEqual([expect.objectContaining({ level: 'warn', instance: 2, known: 2 })]);
    expect(lines()[0]?.msg).toMatch(/VAULT_URLS .* docs\/how-to\/scale\.md/);
    expect(written.join('')).not.toContain(SECRET_PART);
    expect(written.join('')).not.toContain(NUMBER);
  });

  it('is told once a minute for each instance, however many cards there are', async () => {
    const { vault, lines, advance } = await vaultOf(1);
    const pay = async (): Promise<void> => {
      for (const instance of [1, 2]) {
        await vault.reveal(`vault-${instance}.${SECRET_PART}`);
        await vault.forget(`vault-${instance}.${SECRET_PART}`);
      }
    };
    await pay();
    await pay();
    advance(REMINDER_INTERVAL_MS - 1);
    await pay();
    expect(lines().map(({ instance }) => instance)).toEqual([1, 2]);
    advance(1);
    await pay();
    expect(lines().map(({ instance }) => instance)).toEqual([1, 2, 1, 2]);
  });
});

describe('a card that is with an instance of the vault which VAULT_URLS names', () => {
  it.each([`vault-1.${SECRET_PART}`, `vault-0.${SECRET_PART}`, 'no reference'])(
    'is not worth a line (%s)',
    async (reference) => {
      const { vault, written } = await vaultOf(2);
      await vault.reveal(reference);
      expect(written).toEqual([]);
    },
  );
});
