// A directory server for the specs of risk, by the message tables of nobody; no other file imports it.
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, request as tlsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as elapsed } from 'node:timers/promises';

const TRIES_MAX = 100;
const TRY_AGAIN_MS = 20;

export type Fields = Readonly<Record<string, unknown>>;

/** In a range with a page of the 3DS method. */
export const WITH_METHOD = '4200000000000042';
/** In a range without one. */
export const WITHOUT_METHOD = '4200000000000018';
/** Its issuer speaks no version of ours. */
export const OF_OLD_ISSUER = '4532497088771651';
export const METHOD_URL = 'https://issuer.example/method';
export const ACS_URL = 'https://issuer.example/challenge';
export const CRYPTOGRAM = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';

const RANGES = [
  range(WITH_METHOD, { threeDSMethodURL: METHOD_URL }),
  range(WITHOUT_METHOD),
  range(OF_OLD_ISSUER, { acsStartProtocolVersion: '1.0.2', acsEndProtocolVersion: '1.0.2' }),
];

/** As Node's TLS takes them. */
export interface Certificates {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Answers AReq as a spec wants it, and remembers what it was asked. */
export class FakeDirectory {
  readonly asked: Fields[] = [];
  /** In place of what is missing in ARes; a text is sent as it is. */
  answer: (request: Fields) => Fields | string = () => ({ transStatus: 'Y', eci: '05' });
  ranges: Fields[] = RANGES;
  readonly #server: Server;

  private constructor(private readonly tls?: Certificates) {
    const listener: RequestListener = (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const message = JSON.parse(text) as Fields;
        this.asked.push(message);
        if (message['messageType'] === 'Erro') {
          response.end();
          return;
        }
        const answer =
          message['messageType'] === 'PReq'
            ? this.#prepared(message)
            : this.#authenticated(message);
        response.setHeader('content-type', 'application/json');
        response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
    };
    this.#server = tls
      ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, listener)
      : createServer(listener);
  }

  /** With certificates: as a live one, by mutual TLS. */
  static async start(tls?: Certificates): Promise<FakeDirectory> {
    const directory = new FakeDirectory(tls);
    await new Promise<void>((resolve) => directory.#server.listen(0, '127.0.0.1', resolve));
    return directory;
  }

  get url(): string {
    const scheme = this.tls === undefined ? 'http' : 'https';
    return `${scheme}://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** AReq alone. */
  get requests(): readonly Fields[] {
    return this.asked.filter((message) => message['messageType'] === 'AReq');
  }

  /** Erro alone; nobody waits for them, so they may come later than all else. */
  async errors(atLeast = 1): Promise<readonly Fields[]> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const errors = this.asked.filter((message) => message['messageType'] === 'Erro');
      if (errors.length >= atLeast) return errors;
      await elapsed(TRY_AGAIN_MS);
    }
    return [];
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #prepared({ threeDSServerTransID, messageVersion }: Fields): Fields {
    return {
      ...{ messageType: 'PRes', messageVersion, threeDSServerTransID, dsTransID: randomUUID() },
      ...{ dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.3.1', serialNum: '7' },
      cardRangeData: this.ranges,
    };
  }

  #authenticated(request: Fields): Fields | string {
    const { threeDSServerTransID, messageVersion } = request;
    const wanted = this.answer(request);
    if (typeof wanted === 'string') return wanted;
    const { transStatus } = wanted;
    const isProven = transStatus === 'Y' || transStatus === 'A';
    const isChallenged = transStatus === 'C';
    return {
      ...{ messageType: 'ARes', messageVersion, threeDSServerTransID },
      ...{ dsTransID: randomUUID(), acsTransID: randomUUID() },
      ...{ acsReferenceNumber: 'ACS', dsReferenceNumber: 'DS', acsOperatorID: 'operator' },
      ...(isProven && { authenticationValue: CRYPTOGRAM }),
      ...(isChallenged && {
        ...{ acsURL: ACS_URL, acsChallengeMandated: 'N', authenticationType: '02' },
      }),
      ...(['N', 'U', 'R'].includes(String(transStatus)) && { transStatusReason: '01' }),
      ...wanted,
    };
  }
}

/** Tells a result where AReq said, as a directory server does; with certificates as a live one. */
export async function tell(
  request: Fields,
  ares: Fields,
  fields: Fields,
  certificates?: Certificates,
): Promise<Fields> {
  const { threeDSServerURL, threeDSServerTransID, messageVersion } = request;
  const isProven = fields['transStatus'] === 'Y';
  const message: Fields = {
    ...{ messageType: 'RReq', messageVersion, messageCategory: '01', threeDSServerTransID },
    ...{ acsTransID: ares['acsTransID'], dsTransID: ares['dsTransID'] },
    ...{ authenticationType: '02', interactionCounter: '01' },
    ...(isProven && { authenticationValue: CRYPTOGRAM, eci: '05' }),
    ...(!isProven && { transStatusReason: '01' }),
    ...fields,
  };
  const body = JSON.stringify(message);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  if (certificates) return posted(String(threeDSServerURL), { ...certificates, headers, body });
  const response = await fetch(String(threeDSServerURL), { method: 'POST', headers, body });
  return (await response.json()) as Fields;
}

function posted(
  url: string,
  { body, ...options }: Certificates & { readonly headers: Record<string, string>; body: string },
): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const sent = tlsRequest(url, { ...options, method: 'POST' }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(JSON.parse(text) as Fields));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function range(number: string, changes: Fields = {}): Fields {
  return {
    ...{ startRange: number, endRange: number, actionInd: 'A' },
    ...{ acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0', ...changes },
  };
}
