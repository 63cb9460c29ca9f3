import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@sluice/testing';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Acquirer } from './acquirer.js';
import { Book } from './book.js';

const PAN = '4200000000000042';
const debit = {
  reference: 'ref-1',
  operation: 'debit',
  amount: '92.00',
  currency: 'EUR',
  mode: 'INTERNAL',
  card: { number: PAN, expiryMonth: '05', expiryYear: '2034', holder: 'Jane Jones', cvv: '918' },
};

let folder: string;
let book: Book;
let acquirer: Acquirer;
let url: string;
let logged: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-acquirer-'));
  const path = join(folder, 'book.ndjson');
  const settings = { path, pendingMs: 60_000, pageMs: 60_000 };
  book = await Book.open(settings, fixedClock(Date.parse('2026-03-01T12:00:00Z')));
  logged = [];
  acquirer = new Acquirer(book, { error: (...entry: unknown[]) => logged.push(entry) });
  url = await acquirer.listen('127.0.0.1', 0);
});

afterEach(async () => {
  await acquirer.close();
  await book.close();
  await rm(folder, { recursive: true });
});

function post(path: string, body?: object): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

async function bookLines(): Promise<Record<string, unknown>[]> {
  const text = await (await fetch(`${url}/book`)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('POST /transactions', () => {
  it('books, then answers', async () => {
    const response = await post('/transactions', debit);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      transactionId: 'S000000000000',
      reference: 'ref-1',
      status: 'approved',
      resultCode: '000.100.110',
      operation: 'debit',
      amount: '92.00',
      currency: 'EUR',
      cvv: 'M',
      resultDetails: {
        AcquirerResponse: '00',
        AuthCode: '000000',
        ReferenceNbr: '000000000000',
        clearingInstituteName: 'Sluice Simulator',
      },
    });
    expect(await readFile(join(folder, 'book.ndjson'), 'utf8')).toContain('"ref-1"');
  });

  it('says the same of the card when it is asked later', async () => {
    const sent = { ...debit, avs: 'Z', cvv: 'U' };
    const answered: unknown = await (await post('/transactions', sent)).json();
    expect(answered).toMatchObject({ avs: 'Z', cvv: 'U' });
    expect(await (await fetch(`${url}/transactions/ref-1`)).json()).toEqual(answered);
  });

  it('says nothing of a card that was not sent, and no issuer authorizes a capture', async () => {
    await post('/transactions', debit);
    const capture = { ...debit, reference: 'ref-2', operation: 'capture', card: undefined };
    const sent = { ...capture, originalReference: 'ref-1', avs: 'Z', cvv: 'U' };
    const answered = (await (await post('/transactions', sent)).json()) as Record<string, unknown>;
    expect(answered).not.toHaveProperty('avs');
    expect(answered).not.toHaveProperty('cvv');
    expect(answered['resultDetails']).toEqual({
      AcquirerResponse: '00',
      ReferenceNbr: '000000000001',
      clearingInstituteName: 'Sluice Simulator',
    });
  });

  it('has no authorization code for what was declined', async () => {
    const sent = { ...debit, forceResultCode: '800.100.152' };
    const { resultDetails } = (await (await post('/transactions', sent)).json()) as {
      resultDetails: object;
    };
    expect(resultDetails).toMatchObject({ AcquirerResponse: '05' });
    expect(resultDetails).not.toHaveProperty('AuthCode');
  });

  it.each([
    ['5454545454545454', '800.100.155', '02'],
    ['2223000048400011', '800.100.165', '03'],
    ['5454545454545454', '800.100.190', '22'],
    ['5454545454545454', '800.100.152', undefined],
    ['5454545454545454', '000.100.110', undefined],
    ['4200000000000042', '800.100.155', undefined],
  ])('advises about %s and %s: %s', async (number, forceResultCode, advice) => {
    const sent = { ...debit, card: { ...debit.card, number }, forceResultCode };
    const { resultDetails } = (await (await post('/transactions', sent)).json()) as {
      resultDetails: Readonly<Record<string, string>>;
    };
    expect(resultDetails['MerchantAdviceCode']).toBe(advice);
  });

  it.each([
    ['4200000000000042', '800.100.155', '03'],
    ['5454545454545454', '800.100.155', '21'],
  ])('advises about %s and %s what a test says: %s', async (number, forceResultCode, advice) => {
    const sent = { ...debit, card: { ...debit.card, number }, forceResultCode, advice };
    const { resultDetails } = (await (await post('/transactions', sent)).json()) as {
      resultDetails: object;
    };
    expect(resultDetails).toMatchObject({ MerchantAdviceCode: advice });
    const approved = { ...sent, reference: 'ref-approved', forceResultCode: '000.100.110' };
    const answered = (await (await post('/transactions', approved)).json()) as {
      resultDetails: object;
    };
    expect(answered.resultDetails).not.toHaveProperty('MerchantAdviceCode');
    const wrong = await post('/transactions', { ...sent, reference: 'ref-wrong', advice: '3' });
    expect(wrong.status).toBe(400);
  });

  it('keeps neither card number nor security code nor holder', async () => {
    await post('/transactions', debit);
    const kept = await readFile(join(folder, 'book.ndjson'), 'utf8');
    expect(kept).toContain('"bin":"420000","last4":"0042"');
    for (const secret of [PAN, '918', 'Jane']) expect(kept).not.toContain(secret);
  });

  it.each([
    ['a wrong parameter', { ...debit, fault: 'explode' }, 'fault'],
    ['no amount', { ...debit, amount: undefined }, 'amount'],
  ])('refuses %s and books nothing', async (_name, body, parameter) => {
    const response = await post('/transactions', body);
    expect(response.status).toBe(400);
    const refusal = { reference: debit.reference, error: { parameter } };
    expect(await response.json()).toMatchObject(refusal);
    expect(await bookLines()).toEqual([]);
  });

  it.each([
    ['no JSON', 'application/json', '{"reference":', 400],
    ['another type', 'application/xml', '<x/>', 415],
    ['too much', 'application/json', JSON.stringify({ x: 'y'.repeat(20_000) }), 413],
  ])('refuses %s without repeating it', async (_name, type, body, status) => {
    const response = await fetch(`${url}/transactions`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty('error.parameter', 'body');
    expect(logged).toEqual([]);
  });
});

describe('a fault (D-48)', () => {
  const withFault = (fault: string) => post('/transactions', { ...debit, fault });

  it('drop-before: no answer, nothing booked', async () => {
    await expect(withFault('drop-before')).rejects.toThrow();
    expect(await bookLines()).toEqual([]);
  });

  it('drop-after: no answer, booked', async () => {
    await expect(withFault('drop-after')).rejects.toThrow();
    expect(await bookLines()).toMatchObject([{ reference: 'ref-1', status: 'approved' }]);
  });

  it('http-500: booked all the same', async () => {
    expect((await withFault('http-500')).status).toBe(500);
    expect(await bookLines()).toMatchObject([{ reference: 'ref-1', status: 'approved' }]);
  });

  it('garbage: booked, and a web page', async () => {
    const response = await withFault('garbage');
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^<!doctype html>/);
    expect(await bookLines()).toHaveLength(1);
  });

  it('delay: booked at once, answered later', async () => {
    const answer = withFault('delay:300');
    await bookedOnce();
    expect((await answer).status).toBe(200);
    expect(await bookLines()).toHaveLength(1);
  });

  it('late: an inquiry finds nothing until it is booked', async () => {
    const answer = withFault('late:300');
    expect((await fetch(`${url}/transactions/ref-1`)).status).toBe(404);
    expect((await answer).status).toBe(200);
    expect((await fetch(`${url}/transactions/ref-1`)).status).toBe(200);
  });

  it('late: books although its sender has gone', async () => {
    const { hostname, port } = new URL(url);
    connect(Number(port), hostname).end(rawRequest({ ...debit, fault: 'late:50' }));
    await bookedOnce();
  });

  it('twice: booked once, two answers on the wire', async () => {
    const answers = await rawAnswers({ ...debit, fault: 'twice' }, 2);
    expect(answers[0]).toBe(answers[1]);
    expect(JSON.parse(answers[0]!)).toMatchObject({ reference: 'ref-1', status: 'approved' });
    expect(await bookLines()).toHaveLength(1);
  });

  /** Resolves when the book has its one line; the test's time limit is the end of it. */
  async function bookedOnce(): Promise<void> {
    while ((await bookLines()).length === 0) await new Promise((next) => setImmediate(next));
  }
});

describe('an inquiry and an undo', () => {
  it('find what is booked', async () => {
    await post('/transactions', debit);
    const found = await fetch(`${url}/transactions/ref-1`);
    expect(await found.json()).toMatchObject({ status: 'approved', resultCode: '000.100.110' });
    const undone = await post('/transactions/ref-1/reversal');
    expect(await undone.json()).toMatchObject({
      status: 'reversed',
      transactionId: 'S000000000000',
    });
    expect((await post('/transactions/ref-1/reversal')).status).toBe(200);
    expect(await bookLines()).toMatchObject([{ reference: 'ref-1', status: 'reversed' }]);
  });

  it('say so when there is nothing', async () => {
    for (const response of [
      await fetch(`${url}/transactions/ref-1`),
      await post('/transactions/ref-1/reversal'),
    ]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ status: 'notFound', reference: 'ref-1' });
    }
  });
});

function rawRequest(body: object): string {
  const text = JSON.stringify(body);
  return (
    'POST /transactions HTTP/1.1\r\nhost: simulator\r\ncontent-type: application/json\r\n' +
    `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}

/** Sends one request on a bare socket and reads so many answers. */
function rawAnswers(body: object, count: number): Promise<string[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(rawRequest(body));
    });
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      received += bytes.toString('utf8');
      const bodies = received.split('HTTP/1.1 200 OK').slice(1);
      const whole = bodies.map((each) => each.split('\r\n\r\n')[1] ?? '');
      if (whole.length < count || !whole.at(-1)?.endsWith('}}')) return;
      socket.destroy();
      resolve(whole);
    });
  });
}

describe('the pages of shoppers', () => {
  const awaited = {
    ...{ ...debit, card: undefined, returnUrl: 'https://gate.example/return', brand: 'IDEAL' },
    account: { kind: 'bankAccount', details: {} },
  };

  async function redirectFor(more: object = {}): Promise<Record<string, unknown>> {
    const answer = await (await post('/transactions', { ...awaited, ...more })).json();
    return (answer as Record<string, Record<string, unknown>>)['redirect'] ?? {};
  }

  it('are where its answers say: a form of a bank, a page of a provider', async () => {
    expect(await redirectFor()).toEqual({
      url: expect.stringMatching(new RegExp(`^${url}/pages/S000000000000-[0-9a-f]{32}$`)),
      method: 'POST',
      parameters: { TransactionId: 'S000000000000', Amount: '92.00', Currency: 'EUR' },
    });
    const provider = { reference: 'ref-2', account: { kind: 'virtualAccount', details: {} } };
    expect(await redirectFor(provider)).toMatchObject({ method: 'GET', parameters: {} });
  });

  it('have a step before them, if a test wants one, that other pages may frame', async () => {
    const { url: page, preconditions } = await redirectFor({ precondition: 'hidden-frame' });
    expect(preconditions).toEqual([
      {
        ...{ origin: 'iframe#hidden', waitUntil: 'iframe#load', description: expect.any(String) },
        ...{ url: `${String(page)}/precondition`, method: 'POST' },
        parameters: { TransactionId: 'S000000000000' },
      },
    ]);
    const { status, headers } = await fetch(`${String(page)}/precondition`, { method: 'POST' });
    const policy = headers.get('content-security-policy');
    expect([status, policy]).toEqual([200, expect.not.stringContaining('frame-ancestors')]);
    const { url: another } = await redirectFor({ reference: 'ref-2' });
    expect((await fetch(`${String(another)}/precondition`, { method: 'POST' })).status).toBe(404);
    expect((await post('/transactions', { ...awaited, precondition: 'frame' })).status).toBe(400);
  });

  it('send the shopper back with a choice, and nowhere else', async () => {
    const page = String((await redirectFor())['url']);
    const chosen = await fetch(`${page}/approve`, { method: 'POST', redirect: 'manual' });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, awaited.returnUrl]);
    expect(await (await fetch(`${url}/transactions/ref-1`)).json()).toMatchObject({
      status: 'approved',
    });
    for (const path of ['%2F%2Fevil.example', 'S000000000000-x', 'S000000000000-x/approve']) {
      const lost = await fetch(`${url}/pages/${path}`, { method: 'POST', redirect: 'manual' });
      expect([lost.status, lost.headers.get('location')]).toEqual([404, null]);
    }
  });

  it('say how the shopper wants to be asked, and of his number the last digits alone', async () => {
    const details = { 'virtualAccount.accountId': '+966 50 000 0678' };
    const asked = { account: { kind: 'virtualAccount', details }, brand: 'STC_PAY' };
    const by = (mode: string) => ({
      parameters: { customParameters: { SHOPPER_paymentMode: mode, SHOPPER_note: 'secret' } },
    });
    const byNumber = String((await redirectFor({ ...asked, ...by('mobile') }))['url']);
    const text = await (await fetch(byNumber)).text();
    expect(text).toContain('a message to the mobile number');
    expect(text).toContain('•••• 678');
    const byCode = await redirectFor({ ...asked, ...by('qrcode'), reference: 'ref-2' });
    const other = await (await fetch(String(byCode['url']))).text();
    expect(other).toContain('a QR code on this page');
    expect(other).not.toContain('678');
    const without = await redirectFor({ ...asked, ...by('pigeon'), reference: 'ref-3' });
    expect(await (await fetch(String(without['url']))).text()).not.toMatch(/Asked by|pigeon/);
    const book = await (await fetch(`${url}/book`)).text();
    expect(book).not.toMatch(/secret|0678/);
  });

  it('escape what a gateway sent', async () => {
    const page = String((await redirectFor({ returnUrl: 'https://gate.example/"><b>' }))['url']);
    await fetch(`${page}/approve/unnoticed`, { method: 'POST' });
    const text = await (await fetch(page)).text();
    expect(text).toContain('&quot;&gt;&lt;b&gt;');
    expect(text).not.toContain('"><b>');
  });

  it.each([['javascript:alert(1)'], ['/return'], ['x'.repeat(3_000)], [7]])(
    'lead back to no %j',
    async (returnUrl) => {
      const refused = await post('/transactions', { ...awaited, returnUrl });
      expect(refused.status).toBe(400);
    },
  );

  it('are not for what the gateway sends without a way back: that goes by agreement', async () => {
    const details = { 'virtualAccount.accountId': 'jane.jones@example.org' };
    const account = { kind: 'virtualAccount', details };
    const { returnUrl: _, ...agreed } = { ...awaited, brand: undefined, account };
    expect(await (await post('/transactions', agreed)).json()).toMatchObject({
      ...{ status: 'approved', resultCode: '000.100.110' },
    });
    expect(await (await fetch(`${url}/book`)).text()).not.toContain('jane');
  });

  it('are for whoever pays, not for whoever is paid', async () => {
    const credit = await post('/transactions', { ...awaited, operation: 'credit' });
    expect(await credit.json()).toMatchObject({ status: 'approved' });
  });
});
