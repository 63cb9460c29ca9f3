import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { CanaryAccount, Form } from './canary-requests.js';
import type { CanaryAnswer } from './send.js';

/** What shoppers type where issuers ask them, before the right code: found, it would be one of a bank's. */
export const typedCodes = ['739105826417', '860291745338', '927503186642'] as const;

/** What a shopper's browser says of itself to issuers. */
const BROWSER_WORDS = ['Zebulon-Browser/7.1', 'text/x-zebulon'] as const;
/** What may be found, and is: this shows that the search finds what is written in clear. */
export const FOUND = 'the-order-of-the-authenticated';

const RIGHT_CODE = '123456';
const ASKED_CARD = '4200000000000018';
const UNASKED_CARD = '4200000000000026';
const PENDING_POLLS = 100;
const POLL_MS = 100;

/** What was sent, what came of it, and what must stand nowhere in clear. */
export interface AuthenticatedPayments {
  readonly answers: readonly CanaryAnswer[];
  readonly cryptograms: readonly string[];
}

interface Body {
  readonly id: string;
  readonly result: { readonly code: string };
  readonly redirect?: { readonly url: string };
  readonly threeDSecure?: Readonly<Record<string, string>>;
}

/** The same seed file, with a channel whose shoppers are authenticated. */
export function seedWithIssuers(seed: string): string {
  const { channels } = JSON.parse(seed) as { readonly channels: readonly object[] };
  const threeDSecure = {
    ...{ authenticates: 'onDemand', merchantName: 'Canaries', merchantCountry: 'DE' },
    ...{ merchantCategoryCode: '5942', merchantUrl: 'https://shop.example' },
    requestors: {
      visa: {
        ...{ requestorId: 'V-4711', requestorName: 'Canaries' },
        ...{ acquirerBin: '400000', acquirerMerchantId: '000000000000001' },
      },
    },
  };
  return JSON.stringify({ channels: channels.map((channel) => ({ ...channel, threeDSecure })) });
}

/**
 * Shoppers whom issuers ask and do not ask, with a payment and without one: whoever is asked types a wrong code
 * first. What is authenticated alone is paid with, twice: the second time the acquirer declines.
 */
export async function payAuthenticated(
  url: string,
  account: CanaryAccount,
): Promise<AuthenticatedPayments> {
  const answers: CanaryAnswer[] = [];
  const send = async (kind: string, method: 'GET' | 'POST', path: string, form: Form = {}) => {
    const fields = new URLSearchParams({ entityId: account.entityId, ...form });
    const headers = { Authorization: `Bearer ${account.accessToken}` };
    const target = `${url}${path}${method === 'GET' ? `?${fields.toString()}` : ''}`;
    const sent = { method, headers, ...(method === 'POST' && { body: fields }) };
    const response = await fetch(target, sent);
    const body = await response.text();
    const head = JSON.stringify([...response.headers]);
    answers.push({ kind, status: response.status, head, body });
    return JSON.parse(body) as Body;
  };
  /** Goes to the issuer and back, and reads how it ended. */
  const ended = async (kind: string, { id, redirect }: Body, code: string): Promise<Body> => {
    await answerIssuer(redirect?.url ?? '', code);
    for (let polls = 0; polls < PENDING_POLLS; polls += 1) {
      const read = await send(kind, 'GET', `/v1/payments/${id}`);
      if (read.result.code !== '000.200.000') return read;
      await new Promise((again) => setTimeout(again, POLL_MS));
    }
    throw new Error('The issuer has told nothing.');
  };
  const [first, second, third] = typedCodes;
  const paid = { paymentType: 'DB', ...formOf(ASKED_CARD) };
  await ended(
    'asked by its issuer',
    await send('to be asked', 'POST', '/v1/payments', paid),
    first,
  );
  const cryptograms: string[] = [];
  for (const [number, code] of [
    [UNASKED_CARD, ''],
    [ASKED_CARD, second],
    [ASKED_CARD, third],
  ] as const) {
    const begun = await send('alone', 'POST', '/v1/threeDSecure', formOf(number));
    const proven = begun.redirect === undefined ? begun : await ended('alone', begun, code);
    const proof = proofOf(proven);
    cryptograms.push(proof['threeDSecure.verificationId'] ?? '');
    const form = { paymentType: 'DB', ...formOf(number), ...proof };
    await send('paid with its proof', 'POST', '/v1/payments', form);
    await send('paid with its proof again', 'POST', '/v1/payments', form);
  }
  return { answers, cryptograms };
}

/** The files and texts that have one of these, in clear, or as a cryptogram may be written. */
export async function placesOfSecrets(
  folder: string,
  { cryptograms }: AuthenticatedPayments,
  texts: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const words = [...BROWSER_WORDS, ...typedCodes, ...cryptograms.flatMap(writtenAs), FOUND];
  const places: string[] = [];
  const look = (place: string, bytes: Buffer): void => {
    for (const word of words) if (bytes.includes(word)) places.push(`${place}: ${word}`);
  };
  for (const [place, text] of Object.entries(texts)) look(place, Buffer.from(text));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    look(relative(folder, path), await readFile(path));
  }
  return places;
}

function writtenAs(cryptogram: string): readonly string[] {
  const bytes = Buffer.from(cryptogram, 'base64');
  const hex = bytes.toString('hex');
  const url = encodeURIComponent(cryptogram);
  return [...new Set([cryptogram, bytes.toString('base64url'), url, hex, hex.toUpperCase()])];
}

function formOf(number: string): Form {
  return {
    ...{ amount: '92.00', currency: 'EUR', paymentBrand: 'VISA', merchantTransactionId: FOUND },
    ...{ 'card.number': number, 'card.holder': 'Jane Jones', 'card.cvv': '123' },
    ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
    ...{ 'customer.browser.acceptHeader': BROWSER_WORDS[1], 'customer.browser.language': 'de-DE' },
    ...{ 'customer.browser.screenHeight': '900', 'customer.browser.screenWidth': '1440' },
    ...{ 'customer.browser.timezone': '-60', 'customer.browser.userAgent': BROWSER_WORDS[0] },
    ...{ 'customer.browser.javaEnabled': 'false', shopperResultUrl: 'http://127.0.0.1:9/result' },
    ...{ 'billing.street1': 'Main Street 7', 'billing.city': 'Munich' },
    ...{ 'billing.postcode': '80331', 'billing.country': 'DE' },
  };
}

function proofOf({ threeDSecure = {} }: Body): Form {
  const names = ['eci', 'verificationId', 'dsTransactionId', 'version', 'authenticationStatus'];
  return Object.fromEntries(
    names.map((name) => [`threeDSecure.${name}`, threeDSecure[name] ?? '']),
  );
}

/** With plain HTTP, as a browser without scripts. */
async function answerIssuer(url: string, wrongCode: string): Promise<void> {
  const begun = formIn(await (await fetch(url)).text());
  const page = await fetch(begun.action, { method: 'POST', body: begun.fields });
  await fetch(page.url, { method: 'POST', body: codeOf(wrongCode) });
  const last = await fetch(page.url, { method: 'POST', body: codeOf(RIGHT_CODE) });
  const back = formIn(await last.text());
  await fetch(back.action, { method: 'POST', body: back.fields, redirect: 'manual' });
}

function codeOf(answer: string): URLSearchParams {
  return new URLSearchParams({ answer, action: 'answer' });
}

function formIn(html: string): { readonly action: string; readonly fields: URLSearchParams } {
  const text = html.replaceAll('&amp;', '&');
  const [, action = ''] = /<form[^<>]* action="([^"]+)"/.exec(text) ?? [];
  const fields = new URLSearchParams();
  for (const [, name = '', value = ''] of text.matchAll(/name="([^"]+)" value="([^"]*)"/g)) {
    fields.append(name, value);
  }
  return { action, fields };
}
