import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue } from '@sluice/parameters';
import { endOrphans, launched, type SandboxProcess, startSandbox } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const START_WITHIN_MS = 120_000;
const COMMAND_LINE = launched('apps/cli/dist/main.js');

const folder = mkdtempSync(join(tmpdir(), 'sluice-forget-'));
let sandbox: SandboxProcess;
let entityId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  sandbox = await startSandbox({ dataFolder: folder, environment: { DATABASE_URL: '' } });
  entityId = /entityId=([0-9a-f]{32})/.exec(sandbox.output())?.[1] ?? '';
  headers = { Authorization: `Bearer ${/Bearer ([^"'\s]+)/.exec(sandbox.output())?.[1] ?? ''}` };
}, START_WITHIN_MS);
afterAll(async () => {
  await sandbox.stop().catch(() => undefined);
  await endOrphans(folder);
  await rm(folder, { recursive: true, force: true });
}, START_WITHIN_MS);

/** What the answers say of the person; nothing else of a payment may change. */
const PERSON = /Zoë|Undinger|zoe@example\.org|Main Street/;
const person = {
  'card.holder': 'Zoë Undinger',
  ...{ 'customer.givenName': 'Zoë', 'customer.surname': 'Undinger' },
  ...{ 'customer.email': 'zoe@example.org', 'billing.street1': 'Main Street 1' },
};

type Body = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly result: { readonly code: string };
};

async function post(path: string, form: Readonly<Record<string, string>>): Promise<Body> {
  const body = new URLSearchParams({
    entityId,
    ...('amount' in form && { currency: 'EUR' }),
    ...form,
  });
  const response = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body });
  return (await response.json()) as Body;
}

async function get(path: string): Promise<Body> {
  return (await (await fetch(`${sandbox.url}${path}`, { headers })).json()) as Body;
}

const read = (id: string): Promise<Body> => get(`/v1/payments/${id}?entityId=${entityId}`);

async function query(reference: string): Promise<Body> {
  const path = `/v1/query?entityId=${entityId}&merchantTransactionId=${reference}`;
  const { payments } = await get(path);
  const [found] = (payments ?? []) as readonly Body[];
  if (found === undefined) throw new Error(`${reference} was not found`);
  return found;
}

/** The sandbox's own database, as its owner. */
function databaseUrl(): string {
  const password = readFileSync(join(folder, 'postgres.password'), 'utf8').trim();
  const [, , , port] = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  return `postgres://postgres:${password}@127.0.0.1:${port ?? ''}/sluice`;
}

const TABLES = `
  SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name
  FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;

/** Every row of every table as text, with the name of its table before it. */
async function allRows(): Promise<string> {
  const client = new Client({ connectionString: databaseUrl() });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      texts.push(...rows.map(({ row }) => `${name}: ${row}`));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

/** The command line, as the owner of the sandbox's own database. */
async function forget(...words: readonly string[]): Promise<string> {
  const owner = databaseUrl();
  const environment = {
    ...process.env,
    ...{ PAYMENTS_OWNER_DATABASE_URL: owner, REGISTRATIONS_OWNER_DATABASE_URL: owner },
    RISK_OWNER_DATABASE_URL: owner,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...COMMAND_LINE, 'forget', ...words],
    { env: environment },
  );
  return stdout;
}

/** Of a body, what must be the same whoever is forgotten. */
function moneyOf({ id, amount, currency, paymentType, descriptor, result }: Body): object {
  return { id, amount, currency, paymentType, descriptor, result };
}

describe('a payment that is forgotten while the sandbox runs', () => {
  it(
    'has no person any more, in reads and queries, and can be refunded',
    async () => {
      const paid = await post('/v1/payments', {
        ...person,
        ...{ 'card.number': '4200000000000000', 'card.cvv': '123', paymentBrand: 'VISA' },
        ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentType: 'DB' },
        ...{ amount: '92.00', merchantTransactionId: 'order-0001' },
      });
      const before = await read(paid.id);
      expect(JSON.stringify(before)).toMatch(PERSON);
      expect(JSON.stringify(await query('order-0001'))).toMatch(PERSON);

      expect(await forget(paid.id)).toContain('Nothing was done.');
      expect(JSON.stringify(await read(paid.id))).toMatch(PERSON);
      expect(await forget(paid.id, '--execute', '--reason', 'request 17')).toBe(
        `Payment ${paid.id} is forgotten.\n`,
      );

      for (const answer of [await read(paid.id), await query('order-0001')]) {
        expect(JSON.stringify(answer)).not.toMatch(PERSON);
        expect(moneyOf(answer)).toEqual(moneyOf(before));
        expect(answer).toMatchObject({ card: { last4Digits: '0000' } });
      }
      const refund = { paymentType: 'RF', amount: '2.00', ...person };
      const refunded = await post(`/v1/payments/${paid.id}`, refund);
      expect(refunded).toMatchObject({ amount: '2.00', result: { code: '000.100.110' } });
      expect(JSON.stringify(await read(refunded.id))).not.toMatch(PERSON);
      const rest = await post(`/v1/payments/${paid.id}`, { ...refund, amount: '90.01' });
      expect(rest.result.code).toBe('700.400.200');
    },
    START_WITHIN_MS,
  );
});

/** Everything that the reference calls personal or card data, and a payment by card may have. */
const ofPersons = Object.entries(catalogue).filter(
  ([key, { sensitivity, kinds }]) =>
    ['personal', 'accountData'].includes(sensitivity) &&
    (kinds as readonly string[]).includes('payment') &&
    !/^(?:card\.|tokenAccount\.|transactionDueDate$|applePay\.|googlePay\.|samsungPay\.|clickToPay\.|giftCard\.(?:number|pin)$)/.test(
      key,
    ),
);
const LETTERS = 'bcdfghjkmnpqrstvwxyz';

/** Two letters that stand for a number: no vowels, so that they spell nothing. */
function lettersOf(number: number): string {
  return LETTERS.charAt(number / LETTERS.length) + LETTERS.charAt(number % LETTERS.length);
}

/** What is sent under a key of the catalogue; only a map of the merchant's has names of a form. */
function nameOf(key: string, nameFormat: { readonly accepted: string } | undefined): string {
  const name = nameFormat === undefined ? 'some name' : `Kanari.${nameFormat.accepted}`;
  return key.replaceAll('[n]', '[0]').replace(/\[(?:name|key)\]$/, `[${name}]`);
}

/** A value that is nobody else's, of the form that the row has; a list or a country has none. */
function canaryOf(place: number, accepts: (value: string) => boolean): string | undefined {
  const letters = lettersOf(place);
  return [
    `Kanari${letters}vogel`,
    `https://shop.example/?of=Kanari${letters}vogel`,
    ...[`Kv${letters}q`, `7017${30_000 + place}`, `19${10 + (place % 80)}-11-17`],
  ].find(accepts);
}

describe('what the reference calls personal', () => {
  it(
    'stands in no table in clear, and nowhere once it is forgotten',
    async () => {
      const canaries = new Map<string, string>();
      const sent = ofPersons.map(([key, row], place): [name: string, value: string] => {
        const { format } = row;
        const name = nameOf(key, 'nameFormat' in row ? row.nameFormat : undefined);
        const canary = canaryOf(place, format.accepts);
        if (canary !== undefined) canaries.set(name, canary);
        return [name, canary ?? format.accepted];
      });
      expect(sent.length).toBeGreaterThan(250);
      expect(canaries.size).toBeGreaterThan(200);
      const paid = await post('/v1/payments', {
        ...Object.fromEntries(sent),
        ...{ 'card.number': '4200000000000000', 'card.cvv': '123', paymentBrand: 'VISA' },
        ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentType: 'DB' },
        ...{ amount: '92.00', merchantTransactionId: 'order-0002' },
      });
      expect(paid.result.code).toBe('000.100.110');
      const found = await query('order-0002');
      for (const shown of [found, await read(paid.id)]) {
        expect(JSON.stringify(shown)).toContain(canaries.get('customer.givenName'));
        expect(shown['descriptor']).toBe(canaries.get('descriptor'));
        expect(Object.values(shown['customParameters'] ?? {})).toHaveLength(1);
      }

      const isLeft = (text: string): readonly string[] =>
        sent
          .map(([name]) => name)
          .filter((name) => {
            const canary = canaries.get(name) ?? name;
            const hex = Buffer.from(canary).toString('hex');
            // Every answer has a descriptor: the channel's, where the merchant's is not known.
            const words = name === 'descriptor' ? [canary, hex] : [name, canary, hex];
            return words.some((each) => text.includes(each));
          });
      const before = await allRows();
      expect(before).toContain('payments.events: ');
      expect(before).toContain('order-0002');
      expect(isLeft(before)).toEqual([]);

      await forget(paid.id, '--execute', '--reason', 'request 18');
      expect(isLeft(await allRows())).toEqual([]);
      for (const answer of [await read(paid.id), await query('order-0002')]) {
        expect(isLeft(JSON.stringify(answer))).toEqual([]);
      }
      // What the merchant writes to a later request is not kept either (page 0020).
      const words = { descriptor: 'Kanarispaet', 'customParameters[note]': 'Kanarispaet' };
      const refund = { paymentType: 'RF', amount: '2.00', ...words };
      const refunded = await post(`/v1/payments/${paid.id}`, refund);
      expect(refunded).toMatchObject({ descriptor: 'Kanarispaet', amount: '2.00' });
      expect(JSON.stringify(await read(refunded.id))).not.toContain('Kanarispaet');
      expect(await allRows()).not.toContain('Kanarispaet');
    },
    START_WITHIN_MS,
  );

  it('is not repeated by an answer that refuses it', async () => {
    // As long as no form of them allows, and with a character that none of the others allows.
    const wrong = ofPersons.map(([key], place): [name: string, value: string] => [
      key.replaceAll('[n]', '[0]').replace(/\[(?:name|key)\]$/, '[some name]'),
      `Kanari${lettersOf(place)}vogel\u0007`.padEnd(8_192, 'x'),
    ]);
    for (let from = 0; from < wrong.length; from += 50) {
      const some = wrong.slice(from, from + 50);
      const body = await post('/v1/payments', Object.fromEntries(some));
      expect(body.result.code).toBe('200.300.404');
      expect(JSON.stringify(body)).not.toContain('Kanari');
    }
  });
});

describe('a registration that is deleted', () => {
  const SERVICE = ['--service', 'registrations'] as const;

  async function stored(): Promise<Body> {
    return post('/v1/registrations', {
      ...person,
      ...{ 'card.number': '4200000000000000', paymentBrand: 'VISA' },
      ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
      merchantTransactionId: 'kept-0001',
    });
  }

  it(
    'has no person any more once it is forgotten, and is not forgotten while it can be used',
    async () => {
      const { id } = await stored();
      await expect(forget(id, ...SERVICE, '--execute')).rejects.toMatchObject({
        stderr: expect.stringContaining(`DELETE /v1/registrations/${id}`),
      });
      const path = `/v1/registrations/${id}?entityId=${entityId}`;
      expect(JSON.stringify(await get(path))).toMatch(PERSON);
      await fetch(`${sandbox.url}${path}`, { method: 'DELETE', headers });
      expect(await forget(id, ...SERVICE, '--execute')).toBe(`Registration ${id} is forgotten.\n`);
      expect(await forget(id, ...SERVICE)).toContain(`Registration ${id} was forgotten on`);
      expect(JSON.stringify(await query('kept-0001'))).not.toMatch(PERSON);
      const keys = (await allRows())
        .split('\n')
        .filter((row) => row.startsWith(`registrations.personal_keys: (${id},`));
      expect(keys).toEqual([
        expect.stringMatching(/^registrations\.personal_keys: \([0-9a-f]{32},,/u),
      ]);
    },
    START_WITHIN_MS,
  );
});
