import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkForm, parseForm } from '@sluice/parameters';
import {
  SIMULATOR_START_WITHIN_MS,
  type SimulatorProcess,
  startSimulator,
} from './simulator-process-fixture.js';

// The two sides share no code, so each has its own grammar of what a test may ask of the
// simulator. Here they are compared over HTTP: what one takes, the other takes.

/** A fault that waits has been taken; nobody stays for its answer. */
const TAKEN_AFTER_MS = 300;

let simulator: SimulatorProcess;
let references = 0;

beforeAll(async () => {
  simulator = await startSimulator();
}, SIMULATOR_START_WITHIN_MS);

afterAll(() => simulator.stop());

/** Whether the simulator takes a request with this field; HTTP 400 is its refusal. */
async function simulatorTakes(field: string, value: string): Promise<boolean> {
  references += 1;
  const body = {
    reference: `directive-${references}`,
    operation: 'debit',
    amount: '1.00',
    currency: 'EUR',
    mode: 'INTERNAL',
    [field]: value,
  };
  const answered = await fetch(`${simulator.url}/transactions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TAKEN_AFTER_MS),
  }).catch(() => undefined);
  await answered?.body?.cancel().catch(() => undefined);
  return answered?.status !== 400;
}

/** Whether the catalogue takes it as a custom parameter of this name. */
function catalogueTakes(name: string, value: string): boolean {
  const sent = { paymentType: 'RV', [`customParameters[${name}]`]: value };
  const parsed = parseForm(new URLSearchParams(sent).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return checkForm(parsed.form, 'transaction', 'INTERNAL').violations.length === 0;
}

describe('a fault', () => {
  it.each([
    'delay:0',
    'delay:007',
    'delay:600000',
    'late:0',
    'late:600000',
    'drop-before',
    'drop-after',
    'http-500',
    'garbage',
    'twice',
  ])('"%s" is taken by both sides', async (value) => {
    expect(catalogueTakes('simulator.fault', value)).toBe(true);
    expect(await simulatorTakes('fault', value)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'bogus',
    'delay',
    'delay:',
    'delay:-1',
    'delay:+1',
    'delay:1.5',
    'delay:1e3',
    'delay:0000001',
    'delay:600001',
    'delay:999999999999',
    'delay:٣',
    'late:600001',
    'late:1s',
    'DELAY:1',
    'drop',
    'drop-before ',
    'twice\n',
    'http-501',
    'delay:1,twice',
  ])('"%s" is refused by both sides', async (value) => {
    expect(catalogueTakes('simulator.fault', value)).toBe(false);
    expect(await simulatorTakes('fault', value)).toBe(false);
  });
});

describe.each([
  ['avs', ['A', 'Z', 'N', 'U', 'F'], ['', 'M', 'a', 'AZ', ' F']],
  ['cvv', ['M', 'N', 'P', 'S', 'U'], ['', 'A', 'm', 'MN', '123']],
] as const)('a directive for %s', (field, letters, others) => {
  it.each(letters)('"%s" is taken by both sides', async (value) => {
    expect(catalogueTakes(`simulator.${field}`, value)).toBe(true);
    expect(await simulatorTakes(field, value)).toBe(true);
  });

  it.each(others)('"%s" is refused by both sides', async (value) => {
    expect(catalogueTakes(`simulator.${field}`, value)).toBe(false);
    expect(await simulatorTakes(field, value)).toBe(false);
  });
});

describe('a forced code', () => {
  it.each(['', 'bogus', '800.100.151', '1.2.3', '\u{1f600}'.repeat(11)])(
    '"%s" is taken by both sides',
    async (value) => {
      expect(catalogueTakes('forceResultCode', value)).toBe(true);
      expect(await simulatorTakes('forceResultCode', value)).toBe(true);
    },
  );

  it.each(['800.100.1510', '\u{1f600}'.repeat(12)])(
    '"%s" is refused by both sides',
    async (value) => {
      expect(catalogueTakes('forceResultCode', value)).toBe(false);
      expect(await simulatorTakes('forceResultCode', value)).toBe(false);
    },
  );
});
