import { fixedClock } from '@sluice/testing';
import Fastify from 'fastify';
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessControlServer, type AccessControlSettings } from './access-control-server.js';
import { ACS_PATH, acsPages } from './acs-pages.js';
import { AuthenticationBook } from './authentication-book.js';
import { DirectoryServer } from './directory-server.js';

export type Fields = Readonly<Record<string, unknown>>;

/** A 3-D Secure server that notes what it is told; written for these tests alone. */
export interface ResultsServer {
  readonly url: string;
  readonly received: Fields[];
  /** In place of RRes. */
  answer: (request: Fields, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startResultsServer(): Promise<ResultsServer> {
  const received: Fields[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const message = JSON.parse(text) as Fields;
      received.push(message);
      results.answer(message, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const results: ResultsServer = {
    url: `http://127.0.0.1:${port}/results`,
    received,
    answer: confirm,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return results;
}

/** RRes. */
export function confirm(request: Fields, response: ServerResponse): void {
  const { threeDSServerTransID, acsTransID, dsTransID, sdkTransID, messageVersion } = request;
  const ids = { threeDSServerTransID, acsTransID, dsTransID, sdkTransID, messageVersion };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ...ids, messageType: 'RRes', resultsStatus: '01' }));
}

/** Directory servers and ACS with their pages, and a 3-D Secure server. */
export async function startNetworks(settings: Partial<AccessControlSettings> = {}) {
  const results = await startResultsServer();
  const clock = fixedClock(Date.parse('2026-03-01T12:00:00Z'));
  const waits = { pageMs: 60_000, unseenMs: 20, lateMs: 50, retryMs: 5, ...settings };
  const acs = new AccessControlServer({ book: new AuthenticationBook(), clock, settings: waits });
  const shop = Fastify({ forceCloseConnections: true });
  // As the acquirer does, for whom the forms of pages have no fields.
  shop.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, parsed) => parsed(null),
  );
  void shop.register(acsPages(acs));
  const pagesUrl = `${await shop.listen({ host: '127.0.0.1', port: 0 })}${ACS_PATH}`;
  const pages = { method: () => pagesUrl, challenge: () => pagesUrl };
  const directory = new DirectoryServer({ acs, pages });
  const url = await directory.listen('127.0.0.1', 0);
  return {
    results,
    pagesUrl,
    book: (): Fields[] => [...acs.book.lines()],
    post: (network: string, body: string) =>
      fetch(`${url}/3ds/${network}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body,
      }),
    ask: async (network: string, message: Fields): Promise<Fields> => {
      const response = await fetch(`${url}/3ds/${network}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(message),
      });
      return (await response.json()) as Fields;
    },
    close: async () => {
      await directory.close();
      await shop.close();
      await results.close();
    },
  };
}

export type Networks = Awaited<ReturnType<typeof startNetworks>>;

/** AReq of a browser, or of another channel, as its version has it. */
export function areq(networks: Networks, fields: Fields = {}): Fields {
  const { messageVersion = '2.2.0', deviceChannel = '02' } = fields;
  const isNew = messageVersion === '2.3.1';
  const mayBuy = messageVersion !== '2.1.0' || deviceChannel !== '03';
  const all: Fields = {
    messageType: 'AReq',
    messageVersion,
    messageCategory: '01',
    deviceChannel,
    threeDSServerTransID: randomUUID(),
    threeDSServerRefNumber: 'SERVER-1',
    threeDSServerURL: networks.results.url,
    threeDSRequestorID: 'requestor',
    threeDSRequestorName: 'The requestor',
    threeDSRequestorURL: 'https://shop.test',
    ...(deviceChannel === '03'
      ? { threeRIInd: messageVersion === '2.1.0' ? '05' : '11' }
      : { threeDSRequestorAuthenticationInd: '01' }),
    acctNumber: '4200000000000026',
    acquirerBIN: '400000',
    acquirerMerchantID: 'merchant',
    ...(isNew && { acquirerCountryCode: '276', acquirerCountryCodeSource: '01' }),
    mcc: '5999',
    merchantCountryCode: '276',
    merchantName: 'The <shop>',
    ...(mayBuy && {
      ...{ purchaseAmount: '9200', purchaseCurrency: '978', purchaseExponent: '2' },
      purchaseDate: '20260301120000',
    }),
    ...(deviceChannel === '01' && (isNew ? { ...ofApp, ...ofNewApp } : ofApp)),
    ...(deviceChannel === '02' && ofBrowser),
    ...(deviceChannel === '02' && messageVersion !== '2.1.0' && { browserJavascriptEnabled: true }),
    ...(deviceChannel === '02' && isNew && { acceptLanguage: ['en', 'de'] }),
    ...fields,
  };
  // A field that a test takes away.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

const ofBrowser: Fields = {
  threeDSCompInd: 'U',
  notificationURL: 'https://gateway.test/return',
  browserAcceptHeader: 'text/html',
  browserJavaEnabled: false,
  browserLanguage: 'en',
  browserColorDepth: '24',
  browserScreenHeight: '900',
  browserScreenWidth: '1440',
  browserTZ: '-60',
  browserUserAgent: 'a browser',
};

const ofApp: Fields = {
  sdkAppID: '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0001',
  sdkEphemPubKey: { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' },
  sdkMaxTimeout: '05',
  sdkReferenceNumber: 'SDK-1',
  sdkTransID: '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0002',
  deviceRenderOptions: { sdkInterface: '03', sdkUiType: ['01'] },
};

const ofNewApp: Fields = { sdkType: '01', defaultSdkType: { sdkVariant: '01' } };

/** The extension in which tests say what they want. */
export function wish(data: Fields): Fields {
  const extension = { name: 'test', id: 'SLUICE-TEST', criticalityIndicator: false, data };
  return { messageExtension: [extension] };
}

/** A message in base64url. */
export function packed(message: Fields): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url');
}

/** A message of base64url. */
export function unpacked(text: string): Fields {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Fields;
}

/** A browser without scripts, in which one challenge is open. */
export class ScriptlessBrowser {
  #url: string;
  html = '';
  status = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Posts a form, and follows where it leads on this site. */
  async send(fields: readonly (readonly [string, string])[], url = this.#url): Promise<string> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(
        fields.map(([name, value]): [string, string] => [name, value]),
      ).toString(),
    });
    this.#url = response.url;
    this.status = response.status;
    this.html = await response.text();
    return this.html;
  }

  /** Loads the page again. */
  async reload(): Promise<string> {
    const response = await fetch(this.#url);
    this.status = response.status;
    this.html = await response.text();
    return this.html;
  }

  /** Presses a button of the page, beside what is filled in. */
  press(action: string, ...answers: readonly string[]): Promise<string> {
    return this.send([...answers.map((answer) => ['answer', answer] as const), ['action', action]]);
  }

  /** Where the page's form leads, and its hidden fields. */
  form(): { readonly action: string; readonly fields: Readonly<Record<string, string>> } {
    const action = /<form method="post" action="([^"]*)"/.exec(this.html)?.[1] ?? '';
    const fields = [...this.html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    return {
      action,
      fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
    };
  }
}

/** CReq about what was answered. */
export function creq(ares: Fields, fields: Fields = {}): Fields {
  const { threeDSServerTransID, acsTransID, messageVersion } = ares;
  return {
    messageType: 'CReq',
    ...{ threeDSServerTransID, acsTransID, messageVersion },
    challengeWindowSize: '02',
    ...fields,
  };
}
