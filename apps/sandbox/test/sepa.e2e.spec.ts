import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Body, type Fields, MONEY } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const SHOP = {
  entityId: '8ac7a4c97ee0000000000000000000d1',
  token: 'the-token-of-a-shop-with-sepa',
};
const IBAN = 'DE23100000001234567890';
const DEBIT: Fields = {
  ...{ ...MONEY, paymentBrand: 'DIRECTDEBIT_SEPA', testMode: 'EXTERNAL' },
  ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.iban': IBAN, 'bankAccount.country': 'DE' },
  ...{ 'bankAccount.bic': 'MARKDEF1100', 'bankAccount.mandate.dateOfSignature': '2026-03-02' },
};
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
let mandates = 0;
/** A debit by a mandate that no other spec collects by. Ids are of letters and hyphens. */
function debit(more: Fields = {}): Fields {
  mandates += 1;
  const digits = [Math.floor(mandates / LETTERS.length), mandates % LETTERS.length];
  const id = `SHOP-MANDATE-${digits.map((digit) => LETTERS.charAt(digit)).join('')}`;
  return { ...DEBIT, 'bankAccount.mandate.id': id, ...more };
}
const APPROVED = '000.100.112';
const GATHER = ['--sepa-gather', '200'];
/** What somebody waits for who waits for a file, on a busy machine. */
const WAIT_MS = 15_000;
const LOOK_MS = 50;
const DAY_MS = 24 * 60 * 60 * 1_000;

let folder: string;
let sandbox: SandboxProcess;
beforeAll(async () => {
  folder = newFolder();
  sandbox = await start(folder, GATHER);
  await seed();
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

/** A shop whose direct debits go to the bank. */
async function seed(): Promise<void> {
  const endpoint = { address: 'installation:sepa', acquirerMerchantId: 'demo' };
  const body = JSON.stringify({
    channels: [
      {
        ...{ entityId: SHOP.entityId, name: 'SEPA shop', merchant: 'SEPA' },
        accessTokens: [SHOP.token],
        merchantAccounts: [{ name: 'Bank', connector: 'sepa', endpoints: { EXTERNAL: endpoint } }],
        routes: [{ merchantAccount: 'Bank', modes: ['EXTERNAL'], methods: ['DD'] }],
      },
    ],
  });
  const management = /^Management on (\S+):/m.exec(sandbox.output())?.[1] ?? '';
  const response = await fetch(`${management}/seed`, { method: 'POST', body });
  expect(response.status).toBe(200);
}

async function send(method: string, path: string, fields: Fields = {}): Promise<Body> {
  const form = new URLSearchParams({ entityId: SHOP.entityId, ...fields });
  const hasBody = method === 'POST';
  const response = await fetch(`${sandbox.url}${path}${hasBody ? '' : `?${form.toString()}`}`, {
    method,
    headers: { Authorization: `Bearer ${SHOP.token}` },
    ...(hasBody && { body: form }),
  });
  return (await response.json()) as Body;
}

/** Every file for the bank that there is. */
async function filesForTheBank(): Promise<readonly string[]> {
  const outgoing = join(folder, 'sepa', 'outgoing');
  const names = (await readdir(outgoing)).filter((name) => name.endsWith('.xml'));
  return Promise.all(names.map((name) => readFile(join(outgoing, name), 'utf8')));
}

async function eventually<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  const endsAtMs = performance.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > endsAtMs) throw new Error('It did not come.');
    await delay(LOOK_MS);
  }
}

const fileWith = (id: string): Promise<string> =>
  eventually(async () => (await filesForTheBank()).find((text) => text.includes(id)));

function expectValid(text: string, message: string): void {
  const path = `../../../libs/connectors/test/iso20022/${message}.xsd`;
  const schema = XmlDocument.fromBuffer(readFileSync(new URL(path, import.meta.url)));
  expect(() => XsdValidator.fromDoc(schema).validate(XmlDocument.fromString(text))).not.toThrow();
}

/** A file of the bank that says a debit has come back: insufficient funds. */
async function returnDebit(id: string): Promise<void> {
  const sample = await readFile(
    new URL('../../../docs/how-to/sepa/return.camt.054.xml', import.meta.url),
    'utf8',
  );
  const incoming = join(folder, 'sepa', 'incoming');
  await writeFile(join(incoming, '.return'), sample.replace('REFERENCE', id));
  await rename(join(incoming, '.return'), join(incoming, 'return.xml'));
}

describe('a direct debit by SEPA', () => {
  it('is approved, gathered into a file, returned by the bank and charged back', async () => {
    const paid = await send('POST', '/v1/payments', debit());
    expect(paid.result.code).toBe(APPROVED);
    const text = await fileWith(paid.id);
    expectValid(text, 'pain.008.001.08');
    expect(text).toContain(IBAN);
    await returnDebit(paid.id);
    const entries = await eventually(async () => {
      const found = await send('GET', `/v3/query/${paid.id}`, {
        includeLinkedTransactions: 'true',
      });
      const records = (found['records'] ?? []) as readonly Body[];
      return records.some(({ paymentType }) => paymentType === 'CB') ? records : undefined;
    });
    const chargeback = entries.find(({ paymentType }) => paymentType === 'CB');
    expect(chargeback).toMatchObject({
      ...{ amount: '92.00', referencedId: paid.id, result: { code: '000.100.203' } },
    });
    expect(await send('GET', `/v1/payments/${chargeback?.id ?? ''}`)).toMatchObject({
      paymentType: 'CB',
    });
    const refund = await send('POST', `/v1/payments/${paid.id}`, { ...MONEY, paymentType: 'RF' });
    expect(refund.result.code).toBe('700.300.600');
    // Once, though the file is there.
    expect(entries.filter(({ paymentType }) => paymentType === 'CB')).toHaveLength(1);
  });

  it('is captured and refunded: a debit and a transfer, each in a file of its own kind', async () => {
    const reserved = await send('POST', '/v1/payments', debit({ paymentType: 'PA' }));
    const refer = (id: string, fields: Fields) =>
      send('POST', `/v1/payments/${id}`, { ...MONEY, ...fields });
    const captured = await refer(reserved.id, { paymentType: 'CP', amount: '50.00' });
    expect(captured.result.code).toBe(APPROVED);
    const refunded = await refer(captured.id, { paymentType: 'RF', amount: '20.00' });
    expect(refunded.result.code).toBe(APPROVED);
    const inAMonth = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 'yyyy-MM-dd'.length);
    const due = { transactionDueDate: inAMonth };
    const later = await refer(reserved.id, { paymentType: 'CP', amount: '10.00', ...due });
    expect(later.result.code).toBe(APPROVED);
    expectValid(await fileWith(captured.id), 'pain.008.001.08');
    const transfer = await fileWith(refunded.id);
    expectValid(transfer, 'pain.001.001.09');
    expect(transfer).toContain(IBAN);
    const all = await filesForTheBank();
    for (const { id } of [reserved, later]) {
      expect(all.filter((text) => text.includes(id))).toEqual([]);
    }
  });

  it('is declined where the bank would refuse it, and refused by name where it is not served', async () => {
    const usd = await send('POST', '/v1/payments', debit({ currency: 'USD' }));
    expect(usd.result.code).toBe('800.100.173');
    expect((await send('POST', '/v1/payments', DEBIT)).result.code).toBe('100.500.303');
  });
});

describe('a mandate', () => {
  /** Where a collection stands among those of its mandate, as the bank reads it. */
  const sequenceOf = async (id: string): Promise<string | undefined> => {
    const batches = (await fileWith(id)).split('<PmtInf>');
    return /<SeqTp>(.*?)<\/SeqTp>/u.exec(batches.find((each) => each.includes(id)) ?? '')?.[1];
  };
  const paid = async (path: string, fields: Fields): Promise<Body> => {
    const body = await send('POST', path, fields);
    expect(body.result.code).toBe(APPROVED);
    return body;
  };

  it('is collected once where nothing is stored, and refused from then on', async () => {
    const fields = debit();
    const { id } = await paid('/v1/payments', fields);
    expect(await sequenceOf(id)).toBe('OOFF');
    const again = await send('POST', '/v1/payments', fields);
    expect(again).toMatchObject({
      result: { code: '100.500.303' },
      resultDetails: { AcquirerResponse: 'mandateIsUsed' },
    });
  });

  it('that is stored is one for several collections', async () => {
    const { amount: _, currency: __, paymentType: ___, ...account } = debit();
    const { id } = await paid('/v1/registrations', account);
    const target = `/v1/registrations/${id}/payments`;
    for (const amount of ['1.01', '1.02']) {
      const body = await paid(target, { ...MONEY, testMode: 'EXTERNAL', amount });
      expect(await sequenceOf(body.id)).toBe('RCUR');
    }
  });

  it('that is stored with a payment is one for several collections from the first on', async () => {
    const first = await paid('/v1/payments', debit({ createRegistration: 'true' }));
    const target = `/v1/registrations/${String(first['registrationId'])}/payments`;
    const second = await paid(target, { ...MONEY, testMode: 'EXTERNAL' });
    expect(await sequenceOf(first.id)).toBe('RCUR');
    expect(await sequenceOf(second.id)).toBe('RCUR');
  });

  it('of an authorization is collected by each capture', async () => {
    const { id } = await paid('/v1/payments', debit({ paymentType: 'PA' }));
    for (const amount of ['4.00', '5.00']) {
      const captured = await paid(`/v1/payments/${id}`, { ...MONEY, amount, paymentType: 'CP' });
      expect(await sequenceOf(captured.id)).toBe('RCUR');
    }
  });

  it.each([
    { 'bankAccount.iban': 'DE89370400440532013000' },
    { 'bankAccount.holder': 'John Jones' },
    { 'bankAccount.mandate.dateOfSignature': '2026-03-03' },
  ])('that was collected by is refused with %j', async (changed) => {
    const fields = debit({ createRegistration: 'true' });
    await paid('/v1/payments', fields);
    expect(await send('POST', '/v1/payments', { ...fields, ...changed })).toMatchObject({
      result: { code: '100.500.303' },
      resultDetails: { AcquirerResponse: 'mandateDiffers' },
    });
  });
});

describe('processes that are killed while files are made', () => {
  it('put each approved debit into exactly one file', async () => {
    const approved: string[] = [];
    for (let kill = 0; kill < 4; kill += 1) {
      const paying = Array.from({ length: 12 }, () =>
        send('POST', '/v1/payments', debit()).catch(() => undefined),
      );
      // Somewhere between the first file of these and the last.
      await Promise.race(paying);
      await delay(kill * LOOK_MS);
      await sandbox.kill();
      for (const body of await Promise.all(paying)) {
        if (body?.result.code === APPROVED) approved.push(body.id);
      }
      sandbox = await start(folder, GATHER);
    }
    expect(approved.length).toBeGreaterThan(0);
    for (const id of approved) await fileWith(id);
    const references = (await filesForTheBank()).flatMap((text) =>
      [...text.matchAll(/<EndToEndId>(.*?)<\/EndToEndId>/gu)].map(([, id]) => id),
    );
    expect(references.length).toBe(new Set(references).size);
    const names = await readdir(join(folder, 'sepa', 'outgoing'));
    expect(names.filter((name) => !name.endsWith('.xml'))).toEqual([]);
  }, 300_000);
});

describe('a direct debit that is due in a month', () => {
  it('is in a file once the clock of its channel was moved there, of that day', async () => {
    const due = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 'yyyy-MM-dd'.length);
    const paid = await send('POST', '/v1/payments', debit({ transactionDueDate: due }));
    expect(paid.result.code).toBe(APPROVED);
    const moveTo = async (day: number): Promise<void> => {
      const to = new Date(Date.now() + day * DAY_MS).toISOString();
      for (;;) {
        const { clock } = await send('POST', '/sandbox/v1/clock', { to });
        if ((clock as { readonly isThere: boolean }).isThere) return;
      }
    };
    const filesWithIt = async (): Promise<readonly string[]> =>
      (await filesForTheBank()).filter((text) => text.includes(paid.id));
    await moveTo(14);
    expect(await filesWithIt()).toEqual([]);
    await moveTo(31);
    const [text = ''] = await filesWithIt();
    const [, collectedOn = ''] = /<ReqdColltnDt>(.*?)<\/ReqdColltnDt>/u.exec(text) ?? [];
    // The day itself, or the next one on which banks work.
    expect(collectedOn >= due).toBe(true);
    expectValid(text, 'pain.008.001.08');
  }, 60_000);
});
