import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RevealedInstrument } from '@sluice/contracts';
import { currency, type Currency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import type { InstallationPorts } from '../acquirer.js';
import type { Connector, ConnectorRequest, RequestParameters } from '../connector.js';
import { SimulatorConnector } from '../simulator/simulator-connector.js';
import {
  SIMULATOR_START_WITHIN_MS,
  type SimulatorProcess,
  startSimulator,
} from '../simulator/simulator-process-fixture.js';
import { SepaConnector } from './sepa-connector.js';

/*
 * The same direct debits, at the simulator and at a bank that takes files. Where they differ is told to
 * merchants in docs/how-to/debit-with-sepa.md, by this table.
 */

/** A service of the files that records whatever it is asked for. */
const ports: InstallationPorts = {
  queries: { ask: <Answer>() => Promise.resolve({ kind: 'approved', id: 'x' } as Answer) },
  vault: { hold: () => Promise.resolve({ reference: 'held', fingerprint: 'hash' }) },
};
const APPROVED = 'approved';
const bank = new SepaConnector({ creditor: 'books', ports, maxInFlightMs: 30_000 });

let process: SimulatorProcess;
let simulator: Connector;
beforeAll(async () => {
  process = await startSimulator();
  simulator = new SimulatorConnector({ url: process.url });
}, SIMULATOR_START_WITHIN_MS);
afterAll(async () => {
  await simulator.close();
  await process.stop();
});

let references = 0;

/** `approved`, or the code of a decline. */
async function decisionOf(
  connector: Connector,
  asked: Partial<ConnectorRequest>,
  details: RevealedInstrument['details'],
): Promise<string> {
  references += 1;
  const request: ConnectorRequest = {
    ...{ acquirerReference: `direct-debit-${references}`, operation: 'debit', mode: 'INTERNAL' },
    amount: euros(9_200n),
    ...asked,
  };
  const options = { timeoutMs: 5_000, beginByMs: performance.now() + 5_000 };
  const outcome = await connector.submit(request, { kind: 'bankAccount', details }, options);
  return outcome.kind === 'declined' ? outcome.resultCode : outcome.kind;
}

const euros = (minor: bigint, code: Currency = currency('EUR')) => ({ minor, currency: code });
const ofIban = (iban: string) => ({ 'bankAccount.iban': new Detail(iban) });
const MANDATE = { id: 'MANDATE-ONE', dateOfSignature: '2026-03-02' };
const HOLDER = { holder: 'Jane Jones' };
const signed = (account: RequestParameters = {}) => ({
  parameters: { bankAccount: { ...HOLDER, mandate: MANDATE, ...account } },
});
const GERMAN = ofIban('DE89370400440532013000');

describe('a direct debit', () => {
  it.each([
    ['in euros by a mandate', signed(), GERMAN],
    [
      'due on a day',
      { parameters: { ...signed().parameters, transactionDueDate: '2026-12-01' } },
      GERMAN,
    ],
    ['from an account in another country of SEPA', signed(), ofIban('NL91ABNA0417164300')],
  ])('%s is approved by both', async (_, asked, details) => {
    for (const acquirer of [simulator, bank]) {
      expect(await decisionOf(acquirer, asked, details)).toBe(APPROVED);
    }
  });

  it.each([
    ['without a mandate', { parameters: { bankAccount: HOLDER } }, GERMAN, '100.500.303'],
    [
      'of a mandate that is too long for SEPA',
      signed({ mandate: { ...MANDATE, id: 'M'.repeat(36) } }),
      ...([GERMAN, '100.500.303'] as const),
    ],
    [
      'by a national number',
      signed(),
      { 'bankAccount.number': new Detail('532013000') },
      '100.200.104',
    ],
    ['outside of SEPA', signed(), ofIban('BR1800360305000010009795493C1'), '100.200.104'],
    ['in dollars', { ...signed(), amount: euros(9_200n, currency('USD')) }, GERMAN, '800.100.173'],
    ['above 999999999.99', { ...signed(), amount: euros(10n ** 11n) }, GERMAN, '100.550.301'],
  ] satisfies [string, Partial<ConnectorRequest>, RevealedInstrument['details'], string][])(
    '%s is approved by the simulator alone',
    async (_, asked, details, code) => {
      expect(await decisionOf(simulator, asked, details)).toBe(APPROVED);
      expect(await decisionOf(bank, asked, details)).toBe(code);
    },
  );

  it('that a test wants declined is declined by the simulator alone', async () => {
    const forced = { ...signed(), testDirectives: { forceResultCode: '800.100.151' } };
    expect(await decisionOf(simulator, forced, GERMAN)).toBe('800.100.151');
    expect(await decisionOf(bank, forced, GERMAN)).toBe(APPROVED);
  });
});
