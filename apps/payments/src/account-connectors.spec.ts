import { afterAll, describe, expect, it } from '@jest/globals';
import type { Connector } from '@sluice/connectors';
import type { Endpoint, MerchantAccount } from '@sluice/contracts';
import { currency, zero } from '@sluice/money';
import { OutboundHosts } from '@sluice/service';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountId } from '../test/routes-fixture.js';
import { AccountConnectors } from './account-connectors.js';

const secretsFolder = mkdtempSync(join(tmpdir(), 'sluice-secrets-'));
mkdirSync(join(secretsFolder, 'acquirer-a'));
writeFileSync(join(secretsFolder, 'acquirer-a', 'key'), 'a key');
afterAll(() => rmSync(secretsFolder, { recursive: true }));

const LIMITS = { callTimeoutMs: 1_000, maxInFlightMs: 1_000, callsMax: 8 };

function account(connector: string, changes: Partial<Endpoint>): MerchantAccount {
  const endpoint = { acquirerMerchantId: 'M-1', settings: {}, credentials: {}, address: '' };
  return {
    ...{ id: accountId('a'), name: 'A', connector },
    endpoints: { LIVE: { ...endpoint, ...changes } },
  };
}

const iso8583 = (changes: Partial<Endpoint> = {}): MerchantAccount =>
  account('iso8583', {
    ...{ address: 'tls://host.example:5000', settings: { terminals: 'T1' } },
    credentials: { key: { kind: 'reference', reference: 'secret:acquirer-a/key' } },
    ...changes,
  });

/** Connectors of merchant accounts, what was logged of them, and which were retired. */
function connectorsWith(privateTargets: readonly string[] = [], folder?: string) {
  const reasons: string[] = [];
  const retired: Connector[] = [];
  let nowMs = 0;
  const connectors = new AccountConnectors({
    ...{ limits: LIMITS, outbound: new OutboundHosts(privateTargets), secretsFolder: folder },
    timed: (connector) => connector,
    retire: (connector) => void retired.push(connector),
    logger: { warn: ({ reason }: { reason: string }) => void reasons.push(reason) } as never,
    monotonicMs: () => nowMs,
  });
  return { connectors, reasons, retired, wait: (ms: number) => void (nowMs += ms) };
}

/** Has the account and asks for its connector. */
function connectorOf(
  { connectors }: Pick<ReturnType<typeof connectorsWith>, 'connectors'>,
  one: MerchantAccount,
): Connector | undefined {
  connectors.update(new Map([[one.id, one]]));
  return connectors.connectorOf(one, 'LIVE');
}

describe('a merchant account whose endpoint can be used', () => {
  it('has one connector, for as long as the endpoint is the same', () => {
    const made = connectorsWith([], secretsFolder);
    const connector = connectorOf(made, iso8583());
    expect(connector?.name).toBe('iso8583');
    expect(connectorOf(made, iso8583())).toBe(connector);
    expect(made.retired).toEqual([]);
    const changed = connectorOf(made, iso8583({ settings: { terminals: 'T2' } }));
    expect(changed).not.toBe(connector);
    expect(made.retired).toEqual([connector]);
    made.connectors.update(new Map());
    expect(made.retired).toEqual([connector, changed]);
  });

  it('has none in a mode without an endpoint', () => {
    const { connectors } = connectorsWith([], secretsFolder);
    expect(connectors.connectorOf(iso8583(), 'EXTERNAL')).toBeUndefined();
  });

  it('leads to its own address: a private target that the installation lists', async () => {
    const paths: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      paths.push(url);
      response.end('{"status":"notFound","reference":"ref-1"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const made = connectorsWith([address]);
    const connector = connectorOf(made, account('simulator', { address: `http://${address}` }));
    const amount = zero(currency('EUR'));
    const original = { operation: 'debit', mode: 'LIVE', amount } as const;
    await connector?.inquire('ref-1', { timeoutMs: 1_000, original });
    expect(paths).toEqual(['/transactions/ref-1']);
    await connector?.close();
    server.close();
  });
});

describe('a merchant account whose endpoint cannot be used', () => {
  it.each<[string, MerchantAccount, RegExp]>([
    [
      'its host is private',
      account('simulator', { address: 'https://10.0.0.1' }),
      /public internet/,
    ],
    ['its port is another', account('simulator', { address: 'https://a.example:22' }), /ports/],
    ['it has no TLS', iso8583({ address: 'tcp://host.example:5000' }), /private targets alone/],
    [
      'its secret is not mounted',
      iso8583({ credentials: { key: { kind: 'reference', reference: 'secret:acquirer-b/key' } } }),
      /"key" is not mounted/,
    ],
    ['its settings are not', iso8583({ settings: {} }), /"terminals" is missing/],
    ['its connector is none', account('nobody', { address: 'https://a.example' }), /no connector/],
  ])('has none, which is said once: %s', (_, one, reason) => {
    const made = connectorsWith([], secretsFolder);
    expect(connectorOf(made, one)).toBeUndefined();
    expect(connectorOf(made, one)).toBeUndefined();
    expect(made.reasons).toHaveLength(1);
    expect(made.reasons[0]).toMatch(reason);
  });

  it('has none where nobody says where secrets are mounted', () => {
    const made = connectorsWith();
    expect(connectorOf(made, iso8583())).toBeUndefined();
    expect(made.reasons[0]).toContain('PAYMENTS_SECRETS_FOLDER');
  });

  it('is looked at again after a while: a secret may be mounted meanwhile', () => {
    const late = iso8583({
      credentials: { key: { kind: 'reference', reference: 'secret:late' } },
    });
    const made = connectorsWith([], secretsFolder);
    expect(connectorOf(made, late)).toBeUndefined();
    writeFileSync(join(secretsFolder, 'late'), 'a key');
    expect(connectorOf(made, late)).toBeUndefined();
    made.wait(10_000);
    expect(connectorOf(made, late)?.name).toBe('iso8583');
    expect(made.reasons).toHaveLength(1);
  });
});
