import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectorRequest } from '../connector.js';
import { platform } from './platform-acquirer.js';
import type { PlatformConnector } from './platform-connector.js';
import { CARD } from './platform-subject-fixture.js';
import { said, type ScriptedGateway, startScriptedGateway } from './scripted-gateway-fixture.js';

const TIMEOUT_MS = 5_000;
const ENTITY_ID = '8a8294174b7ecb28014b9699220015ca';
const request: ConnectorRequest = {
  acquirerReference: 'reference-1',
  operation: 'debit',
  amount: { minor: 9_200n, currency: currency('EUR') },
  mode: 'INTERNAL',
  brand: 'VISA',
};
const approval = said('000.100.110', {
  id: '8ac7a4a1845f7e1901845f8f3b0a0001',
  merchantTransactionId: 'reference-1',
  ...{ paymentType: 'DB', amount: '92.00', currency: 'EUR' },
});
const options = { timeoutMs: TIMEOUT_MS, original: request };
const UNAVAILABLE = { kind: 'unavailable' };

describe('the token of a merchant account', () => {
  let gateway: ScriptedGateway;
  let folder: string;
  let file: string;
  beforeEach(async () => {
    gateway = await startScriptedGateway();
    folder = mkdtempSync(join(tmpdir(), 'sluice-token-'));
    file = join(folder, 'token');
  });
  afterEach(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });
  const ofAccount = () => {
    const { hostname, port } = new URL(gateway.url);
    return platform.connectTo?.(
      {
        ...{ address: new URL(gateway.url), port: Number(port), settings: {} },
        acquirerMerchantId: ENTITY_ID,
        secretFiles: { accessToken: file },
        lookup: (_, __, done) => {
          done(null, hostname, 4);
        },
      },
      { callTimeoutMs: TIMEOUT_MS, maxInFlightMs: TIMEOUT_MS, callsMax: 8 },
    ) as PlatformConnector;
  };
  const submit = (account: PlatformConnector) =>
    account.submit(request, CARD, {
      timeoutMs: TIMEOUT_MS,
      beginByMs: performance.now() + TIMEOUT_MS,
    });
  const authorizations = () => gateway.received.map(({ headers }) => headers.authorization);

  it('is read for each request', async () => {
    const account = ofAccount();
    gateway.answers = [
      [200, approval],
      [404, said('700.400.580')],
    ];
    writeFileSync(file, 'first\n');
    const outcome = await submit(account);
    expect(outcome.kind).toBe('approved');
    writeFileSync(file, 'renewed');
    await account.inquire('reference-1', options);
    expect(authorizations()).toEqual(['Bearer first', 'Bearer renewed']);
    await account.close();
  });

  it.each([undefined, '', 'two words', 'x'.repeat(1_025)])(
    'keeps every request back while the file has none: %j',
    async (text) => {
      if (text !== undefined) writeFileSync(file, text);
      const account = ofAccount();
      const outcome = await submit(account);
      expect(outcome).toEqual({ kind: 'notPerformed', reason: 'notReachable' });
      expect(await account.inquire('reference-1', options)).toEqual(UNAVAILABLE);
      expect(await account.reverse('reference-1', options)).toEqual(UNAVAILABLE);
      expect(gateway.received).toEqual([]);
      await account.close();
    },
  );
});
