import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { cardPaths, HttpVault, VaultUnavailable } from '@sluice/messaging';
import { type DetailsToHold, RegistrationForgotten } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import {
  createLogger,
  ensureRolesAndSchema,
  HttpClient,
  InternalServer,
  type ServiceDatabase,
  TlsMaterial,
} from '@sluice/service';
import {
  startTcpProxy,
  startTestAuthority,
  startTestDatabase,
  type TestAuthority,
  type TestDatabase,
} from '@sluice/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detailRoutes } from './detail-routes.js';
import { type RunningVault, VaultModule } from './vault.module.js';

const NUMBER = '4200000000000042';
const CODE = '918';
const card: DetailsToHold = {
  kind: 'card',
  details: {
    'card.number': new Detail(NUMBER),
    'card.expiryMonth': new Detail('05'),
    'card.expiryYear': new Detail('2034'),
  },
  inMemory: { 'card.cvv': new Detail(CODE) },
};

let database: TestDatabase;
let service: ServiceDatabase;
let folder: string;
let authority: TestAuthority;
const logged: string[] = [];
const logger = createLogger({
  service: 'vault',
  level: 'debug',
  destination: { write: (line) => void logged.push(line) },
});
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
  service = (await ensureRolesAndSchema(database.url, ['vault'])).vault;
  folder = await mkdtemp(join(tmpdir(), 'sluice-vault-'));
  const keys = { '1': Buffer.alloc(32, 1).toString('base64') };
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ current: '1', keys }), {
    mode: 0o600,
  });
  authority = await startTestAuthority();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
  await authority.remove();
});

interface VaultProcess {
  readonly url: string;
  readonly vault: RunningVault;
  readonly close: () => Promise<void>;
}

/** A vault instance as its main makes it. */
async function startVault(instance = 'vault-0', tls?: TlsMaterial): Promise<VaultProcess> {
  const vault = await VaultModule.start({
    settings: {
      databaseUrl: service.appUrl,
      ownerDatabaseUrl: service.ownerUrl,
      fingerprintKey: Buffer.alloc(32, 7),
      keyFile: join(folder, 'keys.json'),
      instance,
      cardWriteAfterMs: 0,
    },
    logger,
  });
  const server = new InternalServer({ logger, tls });
  for (const route of detailRoutes(vault.vault)) server.route(route);
  const url = await server.listen('127.0.0.1', 0);
  const close = async (): Promise<void> => {
    await server.close();
    await vault.close();
  };
  closers.push(close);
  return { url, vault, close };
}

function client(urls: readonly string[], tls?: TlsMaterial): HttpVault {
  const vault = new HttpVault({ urls, tls });
  closers.push(() => vault.close());
  return vault;
}

describe('the vault over HTTP', () => {
  it('holds, reveals and forgets as it does in process', async () => {
    const { url, vault } = await startVault();
    const remote = client([url]);
    const held = await remote.hold(card);
    expect(held).toEqual({
      reference: expect.stringMatching(/^vault-0\.[0-9a-f]{32}$/),
      fingerprint: (await vault.vault.hold(card)).fingerprint,
    });
    const revealed = await remote.reveal(held.reference);
    expect(revealed?.details['card.number']?.reveal()).toBe(NUMBER);
    expect(revealed?.details['card.cvv']?.reveal()).toBe(CODE);
    expect(revealed?.kind).toBe('card');
    expect(revealed?.details['card.expiryYear']?.reveal()).toBe('2034');
    await remote.forget(held.reference);
    await remote.forget(held.reference);
    expect(await remote.reveal(held.reference)).toBeUndefined();
    expect(await remote.reveal('no reference')).toBeUndefined();
  });

  it('says of what was kept for a registration that it was forgotten, and not that it is lost', async () => {
    const { url } = await startVault();
    const remote = client([url]);
    const registrationId = 'd'.repeat(32);
    const { reference: heldReference } = await remote.hold(card);
    await remote.keep({ heldReference, registrationId, merchantId: 'b'.repeat(32) });
    const kept = `kept.${registrationId}`;
    const inMemory = { 'card.cvv': new Detail(CODE) };
    const { reference } = await remote.hold({ kind: 'card', details: {}, inMemory, kept });
    await remote.forgetKept(registrationId);
    for (const gone of [kept, reference]) {
      await expect(remote.reveal(gone, 'last')).rejects.toThrow(RegistrationForgotten);
    }
    await remote.forget(reference);
    expect(await remote.reveal(reference)).toBeUndefined();
  });

  it('are told by the account of a merchant, too', async () => {
    const { url, vault } = await startVault();
    const remote = client([url]);
    const ofMerchant = { ...card, merchantId: 'b'.repeat(32) as EntityId };
    const { accountFingerprint } = await remote.hold(ofMerchant);
    expect(accountFingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect((await vault.vault.hold(ofMerchant)).accountFingerprint).toBe(accountFingerprint);
  });

  it('passes on that a use is the last one, and refuses other words for it', async () => {
    const { url, vault } = await startVault();
    const remote = client([url]);
    const { reference } = await remote.hold(card);
    expect((await remote.reveal(reference, 'last'))?.kind).toBe('card');
    await vault.close();
    const again = await startVault();
    expect(await client([again.url]).reveal(reference)).toBeUndefined();
    const body = JSON.stringify({ reference, use: 'first' });
    const response = await fetch(`${again.url}/cards/reveal`, { method: 'POST', body });
    expect(response.status).toBe(400);
  });

  it('asks nobody on the way to keep a card, and logs none', async () => {
    const { url } = await startVault();
    const body = JSON.stringify({ kind: 'card', details: { 'card.number': NUMBER } });
    const response = await fetch(`${url}/cards/hold`, { method: 'POST', body });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(logged.join('')).not.toContain(NUMBER);
  });

  it.each([
    '{"kind":"card","details":{"card.number":4200000000000042}}',
    '{"kind":"card","details":{"card.number":"4200000000000042"',
    '{"kind":"purse","details":{"card.number":"4200000000000042"}}',
    '{"kind":"card","details":{},"inMemory":["4200000000000042"]}',
    '{"kind":"card"}',
    ...['[]', 'null', ''],
  ])('refuses %s without repeating it', async (body) => {
    const { url } = await startVault();
    const response = await fetch(`${url}/cards/hold`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('{"reason":"malformed"}');
    expect(logged.join('')).not.toContain('42000000');
  });

  it('opens a token as in process, which it is refused without keys, and says nothing of it', async () => {
    const { url } = await startVault();
    const token = '{"data":"secret of the token"}';
    const toOpen = {
      ...({ wallet: 'samsungPay', usedBy: 'request-1' } as const),
      toHold: {
        kind: 'wallet' as const,
        details: { 'samsungPay.paymentToken': new Detail(token) },
      },
      ...{ amount: { minor: '9200', currency: 'EUR' }, entityIds: ['a' as EntityId] },
    };
    const opened = await client([url]).openToken(toOpen);
    expect(opened).toEqual({
      ...{ kind: 'refused', reason: 'noKeys' },
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(logged.join('')).not.toContain('secret of the token');
    const http = new HttpClient({ origin: url });
    closers.push(() => http.close());
    const body = JSON.stringify({ ...toOpen, toHold: undefined });
    const asked = { method: 'POST', path: '/cards/open-token', body, timeoutMs: 5_000 } as const;
    const result = await http.send(asked);
    expect(result).toMatchObject({ kind: 'answered', statusCode: 400 });
  });

  it('that is away fails with a sentence that names no card', async () => {
    const { url, close } = await startVault();
    await close();
    const remote = client([url]);
    const failures = await Promise.all(
      [remote.hold(card), remote.reveal('vault-0.00'), remote.forget('vault-0.00')].map((work) =>
        work.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(VaultUnavailable);
      expect(String(failure)).not.toContain(NUMBER);
    }
  });

  it('that comes back in time still reveals (D-25)', async () => {
    const { url } = await startVault();
    const proxy = await startTcpProxy(url);
    closers.push(() => proxy.close());
    const remote = client([`http://127.0.0.1:${proxy.port}`]);
    const { reference } = await remote.hold(card);
    proxy.mode = 'blackhole';
    const lost = proxy.nextRequest();
    const revealing = remote.reveal(reference);
    await lost;
    proxy.mode = 'forward';
    expect((await revealing)?.details['card.number']?.reveal()).toBe(NUMBER);
  });
});

describe('several instances of the vault', () => {
  it.each([
    ['the accounts of a transfer', 'sender.accountNumber', '4111111111111111'],
    ['the cryptogram of an authentication', 'threeDSecure.verificationId', 'AAACAgSRBklmQCFgMpEG'],
  ])('carry %s with the card, until that is forgotten', async (_what, name, text) => {
    const { url } = await startVault('vault-0');
    const remote = client([url]);
    const details = { ...card.details, [name]: new Detail(text) };
    const { reference } = await remote.hold({ ...card, details });
    const revealed = await remote.reveal(reference);
    expect(revealed?.details[name]?.reveal()).toBe(text);
    expect(Object.keys(revealed?.details ?? {})).toHaveLength(5);
    expect(JSON.stringify(logged)).not.toContain(text);
    await remote.forget(reference);
    expect(await remote.reveal(reference)).toBeUndefined();
  });

  it('carry what any instrument has, as the IBAN of a bank account', async () => {
    const { url } = await startVault('vault-0');
    const remote = client([url]);
    const details = { 'bankAccount.iban': new Detail('DE23100000001234567890') };
    const { reference } = await remote.hold({ kind: 'bankAccount', details });
    const revealed = await remote.reveal(reference);
    expect(revealed?.kind).toBe('bankAccount');
    expect(revealed?.details['bankAccount.iban']?.reveal()).toBe('DE23100000001234567890');
    expect(JSON.stringify(logged)).not.toContain('DE2310');
  });

  it('take cards in turn; the one that the reference names has the security code (D-42)', async () => {
    const instances = [await startVault('vault-0'), await startVault('vault-1')];
    const remote = client(instances.map(({ url }) => url));
    const held = await Promise.all(Array.from({ length: 6 }, () => remote.hold(card)));
    const names = held.map(({ reference }) => reference.split('.')[0]);
    expect(names.filter((name) => name === 'vault-0')).toHaveLength(3);
    for (const { reference } of held) {
      expect((await remote.reveal(reference))?.details['card.cvv']?.reveal()).toBe(CODE);
      await remote.forget(reference);
      expect(await remote.reveal(reference)).toBeUndefined();
    }
  });

  it('stand in for one that is away: new cards, and known ones without security code', async () => {
    const instances = [await startVault('vault-0'), await startVault('vault-1')];
    const remote = client(instances.map(({ url }) => url));
    const held = [await remote.hold(card), await remote.hold(card)];
    await instances[1]?.close();
    for (let round = 0; round < 4; round += 1) {
      expect((await remote.hold(card)).reference).toMatch(/^vault-0\./);
    }
    const orphan = held.find(({ reference }) => reference.startsWith('vault-1.'));
    const revealed = await remote.reveal(orphan?.reference ?? '');
    expect(revealed?.details['card.number']?.reveal()).toBe(NUMBER);
    expect(revealed?.details).not.toHaveProperty(['card.cvv']);
  });
});

describe('what is saved', () => {
  it('is saved, read and forgotten as in process', async () => {
    const remote = client([(await startVault()).url]);
    const reference = await remote.saveDetails(card, 60_000);
    const read = await remote.readSaved(reference);
    expect(read?.['card.number']?.reveal()).toBe(card.details['card.number']?.reveal());
    expect(read?.['card.cvv']?.reveal()).toBe(card.inMemory?.['card.cvv']?.reveal());
    await remote.forgetSaved(reference);
    expect(await remote.readSaved(reference)).toBeUndefined();
  });
});

describe('what is kept for orders', () => {
  const ORDER = '0'.repeat(32);
  const IBAN = 'DE23100000001234567890';

  it('is kept, revealed and forgotten as in process', async () => {
    const { url } = await startVault();
    const remote = client([url]);
    const details = { 'bankAccount.iban': new Detail(IBAN) };
    const { reference: heldReference } = await remote.hold({ kind: 'bankAccount', details });
    expect(await remote.keepBankAccount({ heldReference, orderId: ORDER })).toBe(true);
    const revealed = await remote.revealBankAccount(ORDER);
    expect(revealed?.kind).toBe('bankAccount');
    expect(revealed?.details['bankAccount.iban']?.reveal()).toBe(IBAN);
    await remote.forgetBankAccount(ORDER);
    expect(await remote.revealBankAccount(ORDER)).toBeUndefined();
    expect(logged.join('')).not.toContain(IBAN);
  });

  it('is no card: the answer is the one of what was never there, byte for byte', async () => {
    const { url } = await startVault();
    const remote = client([url]);
    const { reference: heldReference } = await remote.hold(card);
    const registrationId = 'a'.repeat(32);
    await remote.keep({ heldReference, registrationId, merchantId: 'b'.repeat(32) });
    const asked = async (work: string, parameters: object): Promise<readonly unknown[]> => {
      const body = JSON.stringify(parameters);
      const answer = await fetch(`${url}/cards/${work}`, { method: 'POST', body });
      return [answer.status, await answer.text()];
    };
    const nothing = `vault-0.${'0'.repeat(32)}`;
    for (const reference of [heldReference, `kept.${registrationId}`, nothing, 'nonsense']) {
      const toKeep = { heldReference: reference, orderId: ORDER };
      expect(await asked('keep-bank-account', toKeep)).toEqual([200, '{"isKept":false}']);
    }
    for (const orderId of [registrationId, ORDER, 'f'.repeat(32)]) {
      expect(await asked('reveal-bank-account', { orderId })).toEqual([200, '{}']);
    }
    for (const orderId of [heldReference, `kept.${registrationId}`, nothing, '', undefined]) {
      expect(await asked('reveal-bank-account', { orderId })).toEqual([
        ...[400, '{"reason":"malformed"}'],
      ]);
    }
  });
});

describe('who may call the vault (D-44)', () => {
  const materialOf = async (name: string): Promise<TlsMaterial> => {
    const files = await authority.certificateOf(name);
    const material = await TlsMaterial.open(files, () => undefined);
    if (material === undefined) throw new Error('no certificates');
    closers.push(() => Promise.resolve(material.close()));
    return material;
  };

  it.each([
    ['edge', ['hold', 'openToken', 'forget', 'saveDetails', 'readSaved', 'forgetSaved']],
    ['payments', ['hold', 'reveal', 'forget', 'revealProof']],
    ['risk', ['revealNumber', 'holdProof']],
    ['registrations', ['keep', 'changeKept', 'forgetKept']],
    ['sepa', ['keepBankAccount', 'revealBankAccount', 'forgetBankAccount']],
    ['reporting', []],
    ['vault', []],
  ])('%s', async (caller, expected) => {
    const { url } = await startVault('vault-0', await materialOf('vault'));
    const http = new HttpClient({ origin: url, tls: await materialOf(caller) });
    closers.push(() => http.close());
    const allowed: string[] = [];
    for (const [work, path] of Object.entries(cardPaths)) {
      const result = await http.send({ method: 'POST', path, body: '{}', timeoutMs: 5_000 });
      // Who may ask is told that this was no question.
      const status = result.kind === 'answered' ? result.statusCode : undefined;
      expect([work, status]).toEqual([work, status === 400 ? 400 : 403]);
      if (status === 400) allowed.push(work);
    }
    expect(allowed).toEqual(expected);
  });
});
